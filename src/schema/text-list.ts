import { z } from 'zod/v3';
import type { Text } from '../domain/text/text.ts';
import { expected } from './expected.ts';
import { field } from './field.ts';

/**
 * A list of short texts, each of which a transform parses. It takes the place of objects and nested
 * arrays, because clients accept no deeper arguments.
 */
export const textList = (itemWords: string | null = null) =>
  z.array(field(z.string().max(600), { words: itemWords })).max(200);

export type Issues = Pick<z.RefinementCtx, 'addIssue'>;

/**
 * Ends a transform that failed. `text` completes "it must be …", about the text at `index` or
 * about the whole list.
 */
export function failTransform(issues: Issues, text: Text, index?: number): typeof z.NEVER {
  const path = index === undefined ? [] : [index];
  issues.addIssue({ code: 'custom', ...expected(text), path });
  return z.NEVER;
}
