import { z } from 'zod/v3';
import { summarizeUpdatedAnnotation } from '../../src/language/alerts/annotation-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  annotation,
  annotationChange,
  annotationId,
  keepsUnsentContent,
} from '../../src/schema/alerts/annotation.ts';
import { CapacitySuggestion } from '../../src/service/advice/suggested-capacity.ts';
import { updateAnnotation } from '../../src/service/alerts/annotations.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default operation({
  name: 'update_annotation',
  title: 'Change a drawing',
  description:
    'Move a drawing, or change its style or text; the rest stays. Moving a wilting point ' +
    'moves its alert. For another curve or shape use create_annotation, then ' +
    'delete_annotation.',
  toolset: 'alerts',
  endpoint: { method: 'PATCH', path: '/annotations/{annotationId}', status: 200 },
  scope: 'annotations:write',
  effect: 'update',
  tool: {
    asksConfirmation: true,
    computedDefaults: { keepsUnsent: keepsUnsentContent },
  },
  rest: {
    errorCodes: { 400: ['THRESHOLD_REQUIRES_VWC'], 403: ['no_user'] },
  },
  input: z.strictObject({ annotationId: annotationId(), ...annotationChange }),
  output: annotation,
  check: () => new CapacitySuggestion(),
  pendingWork: () => [pendingChangeParts],
  run: (call, { annotationId: id, ...body }, capacity) =>
    updateAnnotation(call, id, body, capacity),
  summary: summarizeUpdatedAnnotation,
});
