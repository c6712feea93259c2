import { z } from 'zod/v3';
import { summarizeUndo } from '../../src/language/changes/change-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { changeRef, LATEST, undoAnswer, WRITE_SCOPES } from '../../src/schema/changes/change.ts';
import { undoChange } from '../../src/service/changes/undo.ts';
import { UndoChecks } from '../../src/service/changes/undo-checks.ts';
import { unreturnedReadings } from '../../src/service/ingest/devices/periods/returned-readings.ts';
import { pendingDosesOfAll } from '../../src/service/irrigation/doses/pending-doses.ts';
import { pendingRemovals } from '../../src/service/irrigation/planning/pending-regenerations.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default operation({
  name: 'undo',
  title: 'Undo',
  description:
    'Undo your latest change of any tool and tell what was set back; called again, the one before. ' +
    'Sent mail and imported readings stay.',
  toolset: 'changes',
  endpoint: { method: 'POST', path: '/changes/{changeId}/undo', status: 200 },
  scope: 'irrigation:write',
  orScopes: WRITE_SCOPES,
  effect: 'update',
  tool: {
    inDailyToolset: true,
    asksConfirmation: true,
    repeatsDiffer: true,
    defaults: { changeId: LATEST },
  },
  rest: {
    errorCodes: { 404: ['not_found'], 409: ['CHANGE_NOT_UNDOABLE'] },
  },
  input: z.strictObject({ changeId: changeRef().default(LATEST) }),
  output: undoAnswer,
  check: () => new UndoChecks(),
  pendingWork: () => [pendingRemovals, pendingDosesOfAll, pendingChangeParts, unreturnedReadings],
  run: undoChange,
  summary: summarizeUndo,
});
