import { ingestResult } from '../../schema/ingest/ingest-batch.ts';
import { problemResponse } from './error-responses.ts';
import { responseSchema } from './schemas.ts';

const { readings, rain, weather, reasons } = ingestResult.shape;

const RESPONSE = {
  type: 'object',
  properties: {
    readings: responseSchema(readings.omit({ repeated: true })),
    rain: responseSchema(rain),
    weather: responseSchema(weather),
    failedMeasurements: {
      type: 'integer',
      description: 'Values that stand for a failed measurement.',
    },
    reasons: responseSchema(reasons),
    ignored: { type: 'string', description: 'Why nothing of the payload was read.' },
  },
  required: ['readings', 'failedMeasurements', 'reasons'],
  additionalProperties: false,
};

const EXAMPLE = {
  readings: { written: 2, changed: 0, unchanged: 0, refused: 0, storedUnassigned: 0 },
  failedMeasurements: 0,
  reasons: [],
};

/** The longest name of a file, which a map has. */
const MAX_NAME_LENGTH = 255;

const pathParameter = (name: string, description: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', maxLength: MAX_NAME_LENGTH },
});

const webhook = (operationId: string, parameters: readonly object[]) => ({
  post: {
    operationId,
    summary: 'Send a payload in the format of a network',
    description:
      'Reads what networks and gateways post by themselves, such as the webhooks of The Things Stack and ChirpStack or the "Customized" server of Ecowitt. ' +
      '`acequia ingest presets` lists the presets; docs/probes.md shows how to set up the sender. ' +
      'Readings of devices that are not assigned to a module yet are stored until they are. Sending the same payload again changes nothing.\n\nScope: `ingest:write`, or that of the webhook alone.',
    tags: ['monitoring'],
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: {} },
        'application/x-www-form-urlencoded': { schema: { type: 'object' } },
      },
    },
    responses: {
      202: {
        description: 'Accepted.',
        content: { 'application/json': { schema: RESPONSE, example: EXAMPLE } },
      },
      400: problemResponse('400', ['invalid_body']),
      401: problemResponse('401', ['unauthenticated']),
      403: problemResponse('403', ['insufficient_scope']),
      404: problemResponse('404', ['not_found']),
      413: problemResponse('413', ['payload_too_large']),
    },
  },
});

const byKey = webhook('ingest_webhook', [
  pathParameter(
    'webhook',
    'Name of a map of `acequia serve --maps`, or a key of `acequia keys create --webhook` for a sender that can set no header.',
  ),
]);

const { requestBody: _, ...withoutBody } = byKey.post;

/** Messages of senders in their own form, so that no operation describes them. */
export const webhookPaths = {
  '/ingest/{network}/{device}': webhook('ingest_preset', [
    pathParameter('network', 'First part of the name of a preset, such as ttn.'),
    pathParameter('device', 'Second part, such as dragino-lse01.'),
  ]),
  '/ingest/{webhook}': {
    ...byKey,
    get: {
      ...withoutBody,
      operationId: 'ingest_webhook_by_get',
      summary: 'Send measurements in a query',
      description:
        'For consoles of Ambient Weather, which send with GET. Only a key in the path is accepted.',
    },
  },
};
