"""Sample values of every type that is sent or stored, generated from the type itself.

The values depend on the position of a field and on the number of the sample, never on a name. The
first sample has the smallest values, the second the largest; the others are random.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

SMALLEST, LARGEST = 0, 1
MANY = 3
"""The number of elements of a long sequence, and the length of a long text without a bound."""
LONG = 300
"""The maximum length of a random value, in bytes or letters."""


def sample(kind: object, number: int, place: str) -> Any:
    """Return one value of a type that msgspec knows."""
    return _sample(inspect.type_info(kind), number, place)


def beyond(kind: type, place: str) -> Iterator[Any]:
    """Yield values of a struct with one field just outside its bounds."""
    made = inspect.type_info(kind)
    assert isinstance(made, inspect.StructType)
    for field in made.fields:
        for wrong in _outside(field.type):
            usual: Any = sample(kind, LARGEST, place)
            yield msgspec.structs.replace(usual, **{field.name: wrong})


def _outside(kind: inspect.Type) -> Iterator[Any]:
    match kind:
        case inspect.IntType():
            yield from (_bound(kind.ge, kind.gt, 1, 0) - 1, _bound(kind.le, kind.lt, -1, 2**63) + 1)
        case inspect.StrType() | inspect.BytesType():
            one: str | bytes = "a" if isinstance(kind, inspect.StrType) else b"a"
            if kind.max_length is not None:
                yield one * (kind.max_length + 1)
            if kind.min_length:
                yield one * (kind.min_length - 1)
        case inspect.VarTupleType() if kind.max_length is not None:
            item = _sample(kind.item_type, SMALLEST, "item")
            yield (item,) * kind.max_length
            yield (item,) * (kind.max_length + 1)
            yield ()
        case inspect.EnumType():
            yield 1 + max(each.value for each in kind.cls)
        case inspect.UnionType():
            for each in sorted(kind.types, key=_order):
                yield from _outside(each)
        case _:
            pass


def _sample(kind: inspect.Type, number: int, place: str) -> Any:
    chance = Random(f"{number} {place}")
    match kind:
        case inspect.NoneType():
            return None
        case inspect.BoolType():
            return _one((False, True), number, chance)
        case inspect.IntType():
            low = _bound(kind.ge, kind.gt, 1, -(2**31))
            high = _bound(kind.le, kind.lt, -1, 2**31)
            return _one((low, high), number, chance) if number < MANY else chance.randint(low, high)
        case inspect.FloatType():
            return _one((kind.ge or 0.0, kind.le or 1.0), number, chance)
        case inspect.StrType():
            length = _length(kind, number, chance)
            return "".join(chance.choice("aZ9 -_.ñ") for _ in range(length))
        case inspect.BytesType():
            return chance.randbytes(_length(kind, number, chance))
        case inspect.EnumType():
            return _one(list(kind.cls), number, chance)
        case inspect.LiteralType():
            return _one(kind.values, number, chance)
        case inspect.UnionType():
            types = sorted(kind.types, key=_order)
            return _sample(_one(types, number, chance), number, place)
        case inspect.VarTupleType() | inspect.ListType():
            length = _length(kind, number, chance)
            items = [_sample(kind.item_type, number, f"{place}/{at}") for at in range(length)]
            return items if isinstance(kind, inspect.ListType) else tuple(items)
        case inspect.DictType():
            return {
                _sample(kind.key_type, number, f"{place}/{at}"): _sample(
                    kind.value_type, number, f"{place}/{at}"
                )
                for at in range(number)
            }
        case inspect.TupleType():
            return tuple(
                _sample(each, number, f"{place}/{at}") for at, each in enumerate(kind.item_types)
            )
        case inspect.StructType():
            fields = enumerate(kind.fields)
            return kind.cls(
                **{field.name: _sample(field.type, number, f"{place}/{at}") for at, field in fields}
            )
        case _:
            raise TypeError(f"no sample of {type(kind).__name__}")


def _order(kind: inspect.Type) -> tuple[bool, str, int]:
    """Sort None first, so that the smallest value is the shortest; structs by their number."""
    tag = kind.tag if isinstance(kind, inspect.StructType) else None
    number = tag if isinstance(tag, int) else 0
    return not isinstance(kind, inspect.NoneType), type(kind).__name__, number


def _one(values: Sequence[Any], number: int, chance: Random) -> Any:
    if number == SMALLEST:
        return values[0]
    return values[-1] if number == LARGEST else chance.choice(values)


def _bound(inclusive: int | None, exclusive: int | None, step: int, default: int) -> int:
    if inclusive is not None:
        return inclusive
    return default if exclusive is None else exclusive + step


def _length(
    kind: inspect.StrType | inspect.BytesType | inspect.VarTupleType | inspect.ListType,
    number: int,
    chance: Random,
) -> int:
    least = kind.min_length or 0
    most = max(least, MANY if kind.max_length is None else kind.max_length)
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        most = max(least, min(most, MANY))
    if number == SMALLEST:
        return least
    return most if number == LARGEST else chance.randint(least, max(least, min(most, LONG)))
