import type { Lang } from '../domain/lang.ts';
import { languageOf } from './index.ts';

/** That a page is not the last one. */
export const describeNextPage = ({ next_cursor }: { next_cursor: string | null }, lang: Lang): string[] =>
  next_cursor === null ? [] : [languageOf(lang).list.nextPage];

/** How many there are on all pages. */
export const formatTotal = (count: number, lang: Lang): string => languageOf(lang).list.total(count);

/** A batch is sent by a program, which reads the counts: there is nobody to say them to. */
export const emptySummary = (): string => '';
