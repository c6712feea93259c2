import { foldText } from '../../domain/strings.ts';

/** What people leave out or add in a name: quotes, sentence marks, dashes between words. */
const LOOSE = /[\s#&°º№.,:;!?"“”„«»‘’'()[\]_/\\-]/u;
const LETTER = /[\p{L}\p{N}\p{M}\p{So}]/u;
/** A mark at the end of a word may be its name: A- beside A. */
const ENDS_WORD = /['/-]/;

/** The marks that distinguish a name: of "A+" the plus, of "Row 1/2" the slash. */
function signsOf(name: string): { readonly own: string; readonly joining: string } {
  const text = foldText(name).replace(/[‐‑‒–—−]/gu, '-');
  let own = '';
  let joining = '';

  for (const [index, mark] of [...text].entries()) {
    if (LETTER.test(mark) || /\s/.test(mark)) continue;
    const before = LETTER.test(text[index - 1] ?? '');
    const after = LETTER.test(text[index + 1] ?? '');
    if (!LOOSE.test(mark) || (ENDS_WORD.test(mark) && before !== after)) own += mark;
    else if (before && after && /[./-]/.test(mark)) joining += mark;
  }
  return { own, joining };
}

/**
 * True for "A+" and "A-", or "Row 1/2" and "Row 1-2", which are two names; false for "Block-A" and
 * "Block A", or "North 1." and "North 1".
 */
export function haveOtherSigns(some: string, other: string): boolean {
  const [a, b] = [signsOf(some), signsOf(other)];
  const joinedOtherwise = a.joining !== '' && b.joining !== '' && a.joining !== b.joining;
  return a.own !== b.own || joinedOtherwise;
}
