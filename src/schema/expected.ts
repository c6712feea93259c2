import type { z } from 'zod/v3';
import { programText } from '../domain/text/program-text.ts';
import { say, verbatimText } from '../domain/text/say.ts';
import type { Text } from '../domain/text/text.ts';

/** What a check of a schema requires, as the end of "it must be …". zod knows strings alone. */
export const expected = (text: Text, others: { readonly isAboutValue?: true } = {}) => ({
  message: programText(text),
  params: { text, ...others },
});

/** A pattern of a schema has no parameters: its message is words of the program alone. */
export const expectedText = (issue: z.ZodIssue): Text =>
  issue.code === 'custom' && issue.params?.text !== undefined
    ? issue.params.text
    : verbatimText(issue.message);

export const EXPECTED_DATE = expected(say`a date that exists, as YYYY-MM-DD`);
