import { z } from 'zod/v3';
import { summarizeDeletedAnnotation } from '../../src/language/alerts/annotation-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { annotationId, deletedAnnotation } from '../../src/schema/alerts/annotation.ts';
import { deleteAnnotation } from '../../src/service/alerts/annotations.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default operation({
  name: 'delete_annotation',
  title: 'Delete a drawing',
  description:
    'Delete one drawing from a curve; undo restores it. Deleting a wilting-point line disables its alert.',
  toolset: 'alerts',
  endpoint: { method: 'DELETE', path: '/annotations/{annotationId}', status: 200 },
  scope: 'annotations:write',
  effect: 'delete',
  tool: {
    asksConfirmation: true,
  },
  rest: {
    errorCodes: { 403: ['no_user'] },
  },
  input: z.strictObject({ annotationId: annotationId() }),
  output: deletedAnnotation,
  pendingWork: () => [pendingChangeParts],
  run: (call, query) => deleteAnnotation(call, query.annotationId),
  summary: summarizeDeletedAnnotation,
});
