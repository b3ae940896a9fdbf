"""A visitor of the app without a browser: Streamlit's own protocol over a web socket.

What is timed is the server's, from the wish of a page to the message that its script has ended.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

# A page that asks a question draws itself anew once it is answered.
_GOES_ON = (ForwardMsg.FINISHED_EARLY_FOR_RERUN, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
_ENDED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR)


@dataclass
class Visitor:
    """One session: how long each page took, in seconds, the first of them apart."""

    address: str
    first_s: float = 0.0
    again_s: list[float] = field(default_factory=list[float])
    _line: ClientConnection | None = None

    async def visit(self, pages: Sequence[str], *, think_s: float) -> None:
        """Open a page after another, thinking between them; the connection stays open."""
        self._line = await connect(
            self.address.replace("http", "ws", 1) + "/_stcore/stream",
            max_size=None,
            subprotocols=[Subprotocol("streamlit")],
        )
        self.first_s = await self._draw(pages[0])
        for page in pages[1:]:
            await asyncio.sleep(think_s)
            self.again_s.append(await self._draw(page))

    async def leave(self) -> None:
        """Hang up."""
        if self._line is not None:
            await self._line.close()

    async def _draw(self, page: str) -> float:
        assert self._line is not None
        path, _, query = page.partition("?")
        wish = BackMsg()
        wish.rerun_script.query_string = query
        if path:
            wish.rerun_script.page_script_hash = calc_hash(path)
        began = time.perf_counter()
        await self._line.send(wish.SerializeToString())
        while True:
            told = await self._line.recv()
            assert isinstance(told, bytes), "the server hung up"
            message = ForwardMsg()
            message.ParseFromString(told)
            if message.WhichOneof("type") == "script_finished":
                if message.script_finished in _GOES_ON:
                    continue
                assert message.script_finished in _ENDED, message.script_finished
                return time.perf_counter() - began
