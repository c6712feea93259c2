import { useMemo } from 'preact/hooks';
import { usePage } from './page-context.ts';
import { toServiceError } from './use-loaded.ts';
import { type Attempt, writerOnce } from './write-once.ts';

interface SaidAttempt extends Attempt {
  /** What is said once it is recorded. */
  readonly text: string;
}

/** Writes once, says what happened, with a way back, and reads the farm again. */
export function useWrite(): (attempt: SaidAttempt) => Promise<void> {
  const { service, notify, reload } = usePage();
  const write = useMemo(() => writerOnce<SaidAttempt>(service), [service]);
  return async (attempt) => {
    try {
      const { recorded, answer } = await write('', attempt);
      notify({ text: recorded.text, changeId: answer.changeId ?? null, error: null });
      await reload();
    } catch (error) {
      notify({ text: '', changeId: null, error: toServiceError(error) });
    }
  };
}
