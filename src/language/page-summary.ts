import { languageOf } from './index.ts';
import type { WordingContext } from './summary-context.ts';

export const describeNextPage = (body: unknown, { lang }: Pick<WordingContext, 'lang'>): string[] =>
  typeof body === 'object' && body !== null && 'next_cursor' in body && body.next_cursor !== null
    ? [languageOf(lang).list.nextPage]
    : [];
