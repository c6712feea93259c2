import type { Confirmation } from '../schema/change.ts';
import { askDeletion } from './alerts/annotation-summary.ts';
import { askUndo } from './changes/change-summary.ts';
import type { SummaryContext } from './summary-context.ts';

export const describeConfirmation = (confirmation: Confirmation, context: SummaryContext): Promise<string> =>
  confirmation.kind === 'undo' ? askUndo(confirmation.undone, context) : askDeletion(confirmation, context);
