"""Whether the words around an answer take it back: `I will not, however, pass`, `pass? never`."""

import re

MOST_BEFORE = 300
MOST_AFTER = 120
"""Characters around an answer that are looked at."""

_NEGATION = re.compile(
    r"\b(?:not|never|no|nor|neither|cannot|without|refuse|decline|avoid|against|wrong|mistake|instead of|rather than)\b"
    r"|\b(?:says?|said)\b|n['\u2019]t\b",
    re.I,
)
_HEDGE = re.compile(r"\b(?:if|unless|whether|could|might|may|maybe|perhaps|or|consider\w*|for example|e\.g)\b", re.I)
_OWN = re.compile(r"\b(?:so|thus|hence|therefore|then|i|i'll|my|we|answer|choice|move|final|finally)\b", re.I)
_LABEL = re.compile(
    r"(?:^|[.!?;,\n])[\s>*_\"'`\[(-]*"
    r"((?:[\w'\u2019()#-]+[ \t]+){0,3}[\w'\u2019()#-]+)"
    r"[\s\]*_\"'`)]*[:\u2013\u2014-][\s*_]*$"
)
"""The words before a colon or a dash, if they are few: `Bob:`, `My move -`."""
_OTHERS = re.compile(r"\b(?:seat|player)\s*#?[0-9]|\b(?!let|it|that|here|what|there)\w+['\u2019]s\b", re.I)
_OWN_LABEL = re.compile(
    r"\b(?:i|i'll|me|myself|my|mine|we|us|our|this|here|now|next|so|thus|hence|therefore|then|and|but|still|well|ok|okay"
    r"|yes|fine|right|alright|sure|hmm?|instead|rather|overall|finally|final|first|last|answer|choice|choose|move|action"
    r"|decision|decide|verdict|conclusion|result|results|output|response|reply|recommendation|suggestion|plan|strategy"
    r"|option|best|better|good|great|step|turn|play|tool|function|call|calls|json|code|assistant|model|bot|summary|tl"
    r"|dr|do|done|is|are|be|will|that|it|to|the|act|bidding|bid|command|input|order|orders|message)\b",
    re.I,
)
_END = re.compile(r"[.!?;](?=\s)|(?<!:)(?<!:\*\*)(?<!: )\n")
_CLAUSE = re.compile(r"[,:;\u2013\u2014]|\s-\s|\bbut\b", re.I)
_OPENING = " \t\r\n,:;*_`\"'(\u2013\u2014-"
_RETRACTIONS = (
    "no|not|never|nope|no way|not really|just kidding|never mind|scratch that|ignore that|wait|on second thought"
)
_FLAWS = "not|bad|wrong|worse|mistake|illegal|impossible|tempting|risky"
_TAKEN_BACK = re.compile(
    rf"[\s)\"'`*]*(?:\?|[,.;:\u2013\u2014!-]*\s*(?:{_RETRACTIONS})\s*(?:[.!,]|$)"
    rf"|(?:is|was|would be|seems|looks)\b[^.!?\n]{{0,60}}\b(?:{_FLAWS})\b|(?:is|was|would)n['\u2019]t\b)",
    re.I,
)


def negated(before: str) -> bool:
    """Whether these words before an answer may say that it is not meant. A fresh start, as in `so I`, ends that."""
    clauses = _CLAUSE.split(before.rstrip(_OPENING))
    last = clauses[-1]
    if _NEGATION.search(last):
        return True
    return not _OWN.search(last) and any(map(_NEGATION.search, clauses[:-1]))


def said_by_others(before: str) -> bool:
    """Whether a label right before an answer names somebody else: `Bob:`, `Seat 2 -`. It need not be a player."""
    label = _LABEL.search(before[-MOST_BEFORE:])
    if label is None:
        return False
    return _OTHERS.search(label[1]) is not None or not _OWN_LABEL.search(label[1])


def doubtful_at(text: str, begin: int, end: int) -> bool:
    """Whether the words of the same sentence, before or after this part of the text, may take it back."""
    before = _sentence_before(text, begin)
    if before.endswith(("!", "~")) or said_by_others(before):
        return True
    return negated(before) or bool(_HEDGE.search(before)) or taken_back(text[end : end + MOST_AFTER])


def taken_back(after: str) -> bool:
    """Whether these words after an answer take it back."""
    return _TAKEN_BACK.match(after[:MOST_AFTER]) is not None


def _sentence_before(text: str, at: int) -> str:
    """The words before this place in its sentence. A line that ends with a colon introduces the next one."""
    window = text[max(0, at - MOST_BEFORE) : at]
    *_, cut = [0, *(found.end() for found in _END.finditer(window))]
    return window[cut:]
