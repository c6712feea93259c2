import { z } from 'zod/v3';
import { summarizeCreatedAnnotation } from '../../src/language/alerts/annotation-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { annotation, annotationBody } from '../../src/schema/alerts/annotation.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { CapacitySuggestion } from '../../src/service/advice/suggested-capacity.ts';
import { createAnnotation } from '../../src/service/alerts/annotations.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default operation({
  name: 'create_annotation',
  title: 'Draw on a curve',
  description:
    'Draw a note, mark or level on a curve. A humidity h-line with fill threshold1 sets field ' +
    'capacity; threshold2 the wilting point and its alert (mail). For an alert alone use ' +
    'create_alert; to move one update_annotation.',
  toolset: 'alerts',
  endpoint: { method: 'POST', path: '/modules/{moduleId}/annotations', status: 201 },
  scope: 'annotations:write',
  effect: 'create',
  tool: {
    asksConfirmation: true,
  },
  rest: {
    errorCodes: { 400: ['THRESHOLD_REQUIRES_VWC'], 403: ['no_user'] },
  },
  input: z.strictObject({ moduleId: moduleRef({ code: 'invalid_id' }), ...annotationBody }),
  output: annotation,
  check: () => new CapacitySuggestion(),
  pendingWork: () => [pendingChangeParts],
  run: (call, { moduleId, ...body }, capacity) => createAnnotation(call, moduleId, body, capacity),
  summary: summarizeCreatedAnnotation,
});
