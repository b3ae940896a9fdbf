"""The few names of Microsoft Agent Framework that are used, in one place.

Importing this takes over a second: it is done when a score is first asked for, never at the start
(`services/scoring/workflow.py` has the one import). At an upgrade of the three packages the table
of cases in tests/contract/test_scoring_workflow.py is the contract to run again.
"""

import logging

from agent_framework import Agent, AgentResponse, AgentSession, Message, SupportsAgentRun
from agent_framework.exceptions import AgentFrameworkException
from agent_framework.openai import OpenAIChatCompletionClient, OpenAIChatCompletionOptions
from agent_framework.orchestrations import (
    ConcurrentBuilder,
    MagenticBuilder,
    MagenticContext,
    MagenticManagerBase,
    MagenticProgressLedger,
    MagenticProgressLedgerItem,
)

__all__ = [
    "Agent",
    "AgentFrameworkException",
    "AgentResponse",
    "AgentSession",
    "ConcurrentBuilder",
    "MagenticBuilder",
    "MagenticContext",
    "MagenticManagerBase",
    "MagenticProgressLedger",
    "MagenticProgressLedgerItem",
    "Message",
    "OpenAIChatCompletionClient",
    "OpenAIChatCompletionOptions",
    "SupportsAgentRun",
]

# Both write whole requests into their logs when somebody turns those up: drafts that were refused
# would stand there.
for _name in ("agent_framework", "agent_framework_orchestrations", "openai"):
    logging.getLogger(_name).setLevel(logging.WARNING)
