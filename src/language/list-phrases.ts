import type { Lang } from '../domain/lang.ts';

const LIST_PHRASES: Record<Lang, { and: string; more: string; inAll(count: number): string }> = {
  en: {
    and: 'and',
    more: 'More follow: pass next_cursor as cursor.',
    inAll: (count) => `${count} in all.`,
  },
  fr: {
    and: 'et',
    more: 'La suite : passez next_cursor comme cursor.',
    inAll: (count) => `${count} en tout.`,
  },
};

/** "05:00", "05:00 and 18:00", "10, 30 and 60". */
export const joinList = (words: readonly (string | number)[], lang: Lang): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${LIST_PHRASES[lang].and} ${words.at(-1)}`;

/** That a page is not the last one. */
export const describeNextPage = ({ next_cursor }: { next_cursor: string | null }, lang: Lang): string[] =>
  next_cursor === null ? [] : [LIST_PHRASES[lang].more];

/** How many there are on all pages. */
export const formatTotal = (count: number, lang: Lang): string => LIST_PHRASES[lang].inAll(count);

/** A batch is sent by a program, which reads the counts: there is nobody to say them to. */
export const emptySummary = (): string => '';
