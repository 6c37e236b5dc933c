"""Split an answer in plain words: the part that counts, sentences, parts of sentences, reasons and polite words."""

import re
from collections.abc import Sequence

from parlour.core.answer_values import WRAPPING

_MARK = re.compile(
    r"^[ \t*#>_-]*(?:my |the )?(?:final )?(?:answer|action|move|decision)(?: is)?[*_ ]*:[*_]*", re.I | re.M
)
_THOUGHT = re.compile(r"</(?:think|thinking|thought|thoughts|reasoning|scratchpad)>", re.I)
_TAG = re.compile(r"</?(?:answer|final_answer|action|move|output|response)>", re.I)
_LEADS = (
    "i think that|i think|i will now|i will|i'll|i shall|i am going to|i'm going to|i want to|i would like to"
    "|i'd like to|i choose to|i choose|i decide to|i decide|i have decided to|i have decided|let me|let's|let us"
    "|(?:my|the) (?:move|answer|choice|action|decision)"
    "|so|then|thus|hence|therefore|ok|okay|well|now|or|and|but|actually|finally|please|to|is|we|i|answer|action|move"
)
_LEAD = re.compile(rf"(?:(?:{_LEADS})(?:[\s:,]+|$))+", re.I)
_SENTENCE = re.compile(r"[^.!?;\n]*(?:[.](?=\w)[^.!?;\n]*)*[.!?;]?")
_PART = re.compile(r"[,:]\s|\s[-\u2013\u2014]+>?\s")
_REASON = re.compile(
    r"(?<![\s,;(\u2013\u2014-])[\s,;(\u2013\u2014-]+"
    r"(?:because|since|given|so that|in order to|as (?:it|this|that|the|i|we))\b",
    re.I,
)
MOST_CLAUSES = 8
"""Parts of a sentence before an answer that are looked at."""
_NUMBERED = re.compile(r"\s*[0-9]{1,3}[.)]\s")
_BULLET = re.compile(r"^\s*[-\u2022]\s+")
_POLITE = frozenset(("please", "thanks", "thank you", "ok", "okay", "good luck", "final answer", "that's it", "done"))
_HEDGE = re.compile(r"\b(?:if|unless|when|whether|or|would|could|might|may|maybe|perhaps|should)\b", re.I)


def after_mark(text: str) -> str:
    """The text after thoughts in tags, and after the last mark such as `Answer:`; all of it if there is none."""
    *_, thought = [0, *(found.end() for found in _THOUGHT.finditer(text))]
    text = _TAG.sub("\n", text[thought:])
    *_, mark = [0, *(found.end() for found in _MARK.finditer(text))]
    return text[mark:]


def unwrapped(text: str) -> str:
    """The words without quotes, marks and a beginning such as `so I`."""
    said = text.strip(WRAPPING)
    lead = _LEAD.match(said)
    return said[lead.end() :].strip(WRAPPING) if lead else said


def sentences(line: str) -> list[str]:
    """The sentences of a line, with their punctuation."""
    return [sentence for sentence in _SENTENCE.findall(line) if sentence]


def parts_of(sentence: str) -> tuple[Sequence[int], Sequence[str]]:
    """The parts of a sentence between commas, colons and dashes, and where each of them begins."""
    marks = [*_PART.finditer(sentence)]
    begins, ends = [0, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), len(sentence)]
    return begins, [sentence[begin:end] for begin, end in zip(begins, ends, strict=True)]


def before_reason(words: str) -> str:
    """The words before a reason such as `because it is cheap`."""
    return _REASON.split(f" {words}", maxsplit=1)[0].strip()


def hedged(sentence: str) -> bool:
    """Whether the sentence says what might be done, not what is done."""
    return _HEDGE.search(sentence) is not None


def is_numbered(line: str) -> bool:
    """Whether the line is an entry of a numbered list."""
    return _NUMBERED.match(line) is not None


def without_bullet(text: str) -> str:
    return _BULLET.sub("", text)


def is_fragment(part: str) -> bool:
    """Whether words after an answer are too few to be a remark: `5, 6`, `pass, not`. They may change the answer."""
    words = part.strip(WRAPPING).lower().split()
    return 0 < len(words) < 3 and " ".join(words) not in _POLITE
