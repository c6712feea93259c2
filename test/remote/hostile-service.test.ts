import { describe, expect, it } from 'vitest';
import type { z } from 'zod/v3';
import { toolError, toolResult } from '../../src/mcp/tool-result.ts';
import type { AnyOperation } from '../../src/operation/operation.ts';
import { operations } from '../../tools/index.ts';
import { expectHarmless, expectVisible, HOSTILE_TEXTS, SOME_HOSTILE } from '../hostile-texts.ts';
import { propertyRuns } from '../property-runs.ts';
import { RemoteTools, refusalOf } from './remote-tools.ts';
import { sampleBody } from './sample-body.ts';
import { jsonReaction } from './stub-service.ts';

const remote = new RemoteTools({});

const reads = operations.filter(({ effect, rest }) => effect === 'read' && !rest?.isRestOnly);

/** Without these, few calls get as far as a summary. */
const FIXED: Record<string, unknown> = { timezone: 'Europe/Paris', next_cursor: null };

/** A body that the schema permits, with this text in place of every string. */
const bodyWith = (text: string, schema: z.ZodTypeAny): unknown =>
  sampleBody(schema, { text, fixed: FIXED });

const pathOf = ({ endpoint }: AnyOperation): string =>
  `${endpoint.method} /v1${endpoint.path.replace(/\{\w+\}/g, '1')}`;

const argumentsOf = ({ input: { shape } }: AnyOperation): Record<string, unknown> => ({
  ...('moduleId' in shape ? { module: '#1' } : {}),
  ...('parcelId' in shape ? { parcel: '#1' } : {}),
  ...('threshold' in shape ? { threshold: 20 } : {}),
});

/** Puts the text in every free-text field. */
const documentWith = (text: string) => {
  const words = { title: text, summary: text, description: text, operationId: text, tags: [text] };
  const paths = Object.fromEntries(
    reads.map(({ endpoint, input }) => {
      const parameters = [text, ...Object.keys(input.shape)].map((name) => ({
        name,
        in: 'query',
        description: text,
      }));
      return [endpoint.path, { get: { ...words, parameters } }];
    }),
  );
  return { openapi: '3.1.0', info: words, paths: { ...paths, [`/${text}`]: { get: words } } };
};

const notesWith = (text: string): string =>
  encodeURIComponent(
    JSON.stringify([
      text,
      {
        kind: 'means_of_notice',
        mail: 'leaves',
        areAlertsChecked: true,
        sinceMin: null,
        isServed: true,
        devices: 0,
        recipients: [text],
        lastAnswer: null,
        silent: [text],
        othersSilent: 0,
      },
      { kind: 'only_probe_of_parcel', parcel: text, probe: text },
      { kind: 'skipped_local_time', text, clock: text },
      { kind: 'still_waters_today', times: [text] },
      { kind: 'undelivered_mail', waiting: 1, refused: 1, lastAnswer: text },
    ]),
  );

describe('a service that injects instructions', () => {
  it.each(SOME_HOSTILE.slice(0, propertyRuns(8)).map((index) => HOSTILE_TEXTS[index]!))(
    'cannot put them into what a model reads: %j',
    async (text) => {
      remote.stub.on('GET /v1/openapi.json', jsonReaction(documentWith(text)));
      for (const operation of reads)
        remote.stub.on(
          pathOf(operation),
          jsonReaction(bodyWith(text, operation.output), 200, {
            'acequia-remarks': notesWith(text),
          }),
        );
      const offered = await remote.runner.allowedOperations(operations);
      expect(
        [...offered!].filter((name) => !operations.some((each) => each.name === name)),
      ).toEqual([]);
      let summaries = 0;
      for (const operation of reads) {
        const result = await remote.run(operation, argumentsOf(operation)).then(
          (answer) => toolResult(operation, answer),
          (error) => toolError(error),
        );
        expectVisible(result.content.filter(({ type }) => type === 'text'));
        expectVisible(result.structuredContent ?? {});
        const [first] = result.content;
        if (result.isError) continue;
        summaries++;
        expectHarmless(first?.type === 'text' ? first.text : '');
      }
      expect(summaries).toBeGreaterThan(reads.length / 2);
    },
  );

  it('cannot hide them in an error', async () => {
    for (const text of HOSTILE_TEXTS) {
      const problem = { code: text, detail: text, hint: text, field: text };
      const parts = [text, { kind: 'name', text }, { kind: 'argument', path: text.slice(0, 100) }];
      const texts = { message: { parts }, hint: { parts } };
      for (const each of [problem, { ...problem, texts }]) {
        remote.stub.on('GET /v1/company', jsonReaction(each, 422));
        expectVisible(toolError(await refusalOf(remote.call('get_company'))));
      }
    }
  });
});
