import { useReducer } from 'preact/hooks';
import { newIdempotencyKey } from '../idempotency-key.ts';
import { isServiceError, NO_ANSWER, type Service, type ServiceError } from '../service.ts';
import { adjust } from './adjustment.ts';
import { savingOf, type ThresholdLine } from './threshold-lines.ts';

const toServiceError = (error: unknown): ServiceError =>
  isServiceError(error) ? error : { code: NO_ANSWER, message: String(error), hint: null };

interface AdjustmentOptions {
  readonly service: Service;
  readonly moduleId: number;
  /** The lines as they are stored now. */
  refresh(): Promise<void>;
  onSaved(): void;
}

/** Pull, confirm, undo. A key for each attempt keeps a repeated one from writing twice. */
export function useAdjustment({ service, moduleId, refresh, onSaved }: AdjustmentOptions) {
  const [adjustment, dispatch] = useReducer(adjust, null);
  async function write(operation: string, fields: Readonly<Record<string, unknown>>): Promise<number | null> {
    const { changeId } = await service.perform(operation, fields, { idempotencyKey: newIdempotencyKey() });
    await refresh();
    onSaved();
    return changeId ?? null;
  }
  return {
    ...{ adjustment, dispatch },
    async save(line: ThresholdLine, value: number): Promise<void> {
      dispatch({ kind: 'save' });
      try {
        const { operation, fields } = savingOf(line, value, moduleId);
        dispatch({ kind: 'saved', changeId: await write(operation, fields) });
      } catch (error) {
        dispatch({ kind: 'refused', error: toServiceError(error) });
      }
    },
    async undo(changeId: number): Promise<void> {
      dispatch({ kind: 'undo' });
      try {
        await write('undo', { changeId: String(changeId) });
        dispatch({ kind: 'undone' });
      } catch (error) {
        dispatch({ kind: 'refused', error: toServiceError(error) });
      }
    },
  };
}
