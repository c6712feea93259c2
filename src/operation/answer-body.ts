import type { SummaryContext } from '../language/summary-context.ts';
import type { AnyOperation } from './operation.ts';

export const structuredBody = (
  { tool }: Pick<AnyOperation, 'tool'>,
  body: unknown,
): Record<string, unknown> =>
  tool?.wrapBodyAs === undefined ? (body as Record<string, unknown>) : { [tool.wrapBodyAs]: body };

export const conciseIfRequested = (
  { concise }: AnyOperation,
  body: unknown,
  { detail }: Readonly<Record<string, unknown>>,
  context: SummaryContext,
): unknown => (concise && detail === 'concise' ? concise(body, context) : body);
