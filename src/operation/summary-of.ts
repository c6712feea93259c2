import type { Saying } from './call.ts';
import { type AnyOperation, isWrite } from './operation.ts';
import type { Report } from './told.ts';
import { withZoneTold } from './zone-told.ts';

interface Said {
  readonly body: unknown;
  readonly saying: Saying;
  readonly input: Record<string, unknown>;
}

/** The summary of an answer. A write that was done is told as done, also where its sentence fails; that goes to `report`. */
export async function summaryOf(
  described: AnyOperation,
  { body, saying, input }: Said,
  report: Report | undefined,
  requestId?: string,
): Promise<string> {
  try {
    return withZoneTold(await described.summary(body, saying, input), saying);
  } catch (error) {
    if (!isWrite(described)) throw error;
    const reference = await report?.(error, requestId);
    const where = reference === undefined ? '' : ` (reference ${reference})`;
    return [
      `It was written, but no sentence could be made of it${where}: read the answer itself, and do not write it again.`,
      ...saying.remarks,
    ].join(' ');
  }
}
