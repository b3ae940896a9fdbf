"""What code may write as the note of a figure: the strings that reach the name `note` in a file."""

import ast
from collections.abc import Iterator
from pathlib import Path

# Parts of an expression that its value is not made of.
_ASIDE = {
    ("Call", "args"),
    ("Call", "keywords"),
    ("Compare", "left"),
    ("Compare", "comparators"),
    ("Dict", "keys"),
    ("IfExp", "test"),
    ("Subscript", "slice"),
    ("comprehension", "iter"),
    ("comprehension", "ifs"),
}
_PASS_ON = {"append", "get", "join", "join_notes"}


def list_notes(path: Path) -> set[str]:
    """Those strings; what is filled in is `1`. What comes through a parameter is not among them."""
    bound = list(_bindings(ast.parse(path.read_text(encoding="utf-8"))))
    names, before, notes = {"note"}, 0, set[str]()
    while len(names) > before:
        before = len(names)
        for part in [part for name, value in bound if name in names for part in _parts(value)]:
            match part:
                case ast.Constant(value=str(text)):
                    notes.add(text)
                case ast.JoinedStr(values=pieces):
                    notes.add("".join(_piece(piece) for piece in pieces))
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    names.add(name)
                case _:
                    pass
    return notes


def _piece(piece: ast.expr) -> str:
    return str(piece.value) if isinstance(piece, ast.Constant) else "1"


def _bindings(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Name → value: of assignments, keyword arguments, what is appended, what is returned."""
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg=str(name), value=value):
                yield name, value
            case ast.Assign(targets=targets, value=value):
                names = (one for target in targets for one in ast.walk(target))
                yield from ((one.id, value) for one in names if isinstance(one, ast.Name))
            case (
                ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.AugAssign(target=ast.Name(id=name), value=value)
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[value])
            ):
                yield name, value
            case ast.Dict(keys=keys, values=values):
                keyed = zip(keys, values, strict=True)
                yield from (
                    (str(key.value), of) for key, of in keyed if isinstance(key, ast.Constant)
                )
            case ast.FunctionDef(name=name):
                inside = ast.walk(node)
                yield from ((name, one) for one in inside if isinstance(one, ast.Return))
            case _:
                pass


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The node and the parts its value is made of."""
    yield node
    called = getattr(node, "func", None)
    passes_on = getattr(called, "attr", getattr(called, "id", "")) in _PASS_ON
    for name, held in ast.iter_fields(node):
        if (type(node).__name__, name) in _ASIDE and not (name == "args" and passes_on):
            continue
        for one in held if isinstance(held, list) else [held]:
            whole = isinstance(node, ast.JoinedStr) and isinstance(one, ast.Constant)
            if isinstance(one, ast.AST) and not whole:
                yield from _parts(one)
