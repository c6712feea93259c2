import { languageOf } from './index.ts';
import type { WordingContext } from './summary-context.ts';

/** That a page is not the last one; nothing where the body is no page. */
export const describeNextPage = (body: unknown, { lang }: Pick<WordingContext, 'lang'>): string[] =>
  typeof body === 'object' && body !== null && 'next_cursor' in body && body.next_cursor !== null
    ? [languageOf(lang).list.nextPage]
    : [];

/** A batch is sent by a program, which reads the counts: there is nobody to say them to. */
export const emptySummary = (): string => '';
