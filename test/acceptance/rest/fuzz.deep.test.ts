import fc from 'fast-check';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  documentedOperations,
  renderDocument,
  schemaValidators,
} from '../../http/openapi/rendered-document.ts';
import { sharedRestService } from '../rest-service.ts';
import { type FuzzedRequest, fuzzedRequests } from './fuzzed-requests.ts';

const REQUESTS_PER_OPERATION = 70;

const document = renderDocument();
const operations = documentedOperations(document).filter((each) => each['x-scope'] !== undefined);
const validatorOf = schemaValidators(document);

describe('a service under random requests', () => {
  const farm = sharedRestService('--rate-limit', '0');
  const keys: string[] = [];
  const annotations: string[] = [];
  const alerts: string[] = [];
  let parcelWithoutProbe: number;
  const waterings = [1, 2, 3, 4, 5, 6];
  let pool: Pool;
  beforeAll(async () => {
    keys.push(
      await farm().newKey(),
      await farm().newKey('--scopes', 'readings:read'),
      await farm().newKey('--user', 'none'),
    );
    pool = new Pool(new URL(farm().base).origin);
    for (const module of [1, 2, 3]) {
      await write('put', `/modules/${module}/irrigation/installation`, {
        system: 'drip',
        flowMmPerH: 3,
      });
      for (const day of [1, 2]) {
        const startedAt = `2026-06-0${day}T05:00:00Z`;
        await write('post', `/modules/${module}/irrigation/events`, {
          startedAt,
          inputMode: 'duration',
          durationMin: 60,
        });
        await write('post', '/irrigation/schedules', {
          targetModuleId: module,
          freq: 'weekly',
          weekdays: [day],
          startTimes: ['05:30'],
          startsOn: '2026-07-01',
          timezone: 'Europe/Paris',
          inputMode: 'duration',
          durationMin: 30,
        });
      }
    }
    for (const height of Array.from({ length: 40 }, (_, index) => index)) {
      const drawing = { type: 'text', p1: [Date.UTC(2026, 5, 1), height], text: 'A note' };
      annotations.push((await write('post', '/modules/1/annotations', drawing)).id);
    }
    parcelWithoutProbe = (await write('put', '/parcels', { name: 'Terrace' })).parcel.id;
    for (const day of [1, 2, 3]) {
      const path = `/parcels/${parcelWithoutProbe}/irrigation/events`;
      const run = {
        startedAt: `2026-06-0${day}T05:00:00Z`,
        inputMode: 'duration',
        durationMin: 60,
      };
      waterings.push((await write('post', path, run)).ofParcel.event.id);
    }
    await sendUnknownField();
    for (const moduleId of [1, 2, null])
      alerts.push((await write('post', '/alerts', { moduleId, threshold: 20 })).id);
  });
  afterAll(() => pool?.close());

  /** The device that the example of assign_device assigns. */
  async function sendUnknownField(): Promise<void> {
    const webhook = await farm().newKey('--webhook', 'ttn/any');
    await write('post', `/ingest/${webhook}`, {
      end_device_ids: { dev_eui: 'A84041FFFF181F0D' },
      received_at: '2026-06-30T17:20:52Z',
      uplink_message: { f_port: 2, decoded_payload: { soil_moist: 24.3 } },
    });
  }

  async function write(method: string, path: string, body: object) {
    const headers = { 'x-api-key': keys[0]!, 'content-type': 'application/json' };
    const { status, text } = await answerTo(method, { path, headers, body: JSON.stringify(body) });
    if (status >= 300) throw new Error(text);
    return JSON.parse(text);
  }

  async function answerTo(method: string, { path, headers, body }: FuzzedRequest) {
    const answer = await pool.request({
      method: method.toUpperCase() as 'GET',
      path: `${new URL(farm().base).pathname}${path}`,
      headers,
      body,
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, type: String(answer.headers['content-type']), text };
  }

  it.each(operations.map((each) => [each.operationId, each] as const))(
    'answers %s as documented',
    async (_, operation) => {
      const statuses = new Set<number>();
      await fc.assert(
        fc.asyncProperty(
          fuzzedRequests(operation, {
            keys,
            values: {
              annotationId: annotations,
              alertId: alerts,
              moduleId: [1, 2, 3, 4, 9],
              parcelId: [1, 2, parcelWithoutProbe, 9],
              eventId: waterings,
              changeId: ['latest', '1'],
            },
          }),
          async (request) => {
            const { status, type, text } = await answerTo(operation.method, request);
            statuses.add(status);
            expect(status, text).toBeLessThan(500);
            const documented = operation.responses[status];
            expect(documented, `${status} ${text}`).toBeDefined();
            const [contentType, content] = Object.entries(documented!.content)[0]!;
            expect(type).toBe(contentType);
            if (type === 'image/png') {
              expect(text).toMatch(/^.PNG/);
              return;
            }
            const validate = validatorOf(content.schema);
            expect(validate(JSON.parse(text)), `${text} ${JSON.stringify(validate.errors)}`).toBe(
              true,
            );
          },
        ),
        { numRuns: REQUESTS_PER_OPERATION },
      );
      // If every request had the same outcome, little would have been tested.
      expect([...statuses].some((status) => status < 300)).toBe(true);
      expect([...statuses].some((status) => status >= 400)).toBe(true);
    },
  );

  it('answers an unknown path or method with a problem', async () => {
    const asTheyStand = fc.constantFrom('modules', 'irrigation', '..', '', '%', '%00', '1');
    const segments = fc.array(fc.oneof(asTheyStand, fc.string().map(encodeURIComponent)), {
      maxLength: 5,
    });
    const problem = validatorOf({ $ref: '#/components/schemas/Problem' });
    await fc.assert(
      fc.asyncProperty(
        segments,
        fc.constantFrom('POST', 'PUT', 'DELETE', 'PATCH'),
        async (parts, method) => {
          const path = `/${parts.join('/')}`;
          const { status, type, text } = await answerTo(method, { path, headers: {}, body: null });
          expect([400, 401, 404, 405], text).toContain(status);
          expect(type).toBe('application/problem+json');
          expect(problem(JSON.parse(text)), text).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
