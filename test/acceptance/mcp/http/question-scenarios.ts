import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile, newBaseFarm } from '../../../base-farm.ts';
import { rowsOf } from '../../../stores/stores.ts';
import { bodyOf, firstText } from '../../mcp-session.ts';
import { CLOCK, type Json, withoutHeldLoop } from '../../program.ts';
import {
  createTestKey,
  type RestService,
  serveStoreForFile,
  serveStoreForTest,
} from '../../rest-service.ts';
import { newBlock } from '../own-block.ts';
import { answer, postRound, questionOf, type Round } from './mcp-http-client.ts';

/** Tests what depends on the store that the processes share. */
export function describeQuestionRounds(): void {
  let services: readonly [RestService, RestService];
  let key: string;
  beforeAll(async () => {
    const db = await baseFarmForFile();
    services = [
      await serveStoreForFile(db, '--clock', CLOCK),
      await serveStoreForFile(db, '--clock', CLOCK),
    ];
    key = await services[0].newKey('--surface', 'mcp');
  });

  const post = (process: 0 | 1, name: string, args: unknown, round?: Round) =>
    postRound(services[process], key, name, args, round);
  const call = async (name: string, args: object) => (await post(0, name, args)).body.result;
  const wateringsOf = async (...modules: readonly string[]): Promise<Json[]> => {
    const lists = modules.map(
      async (module) => bodyOf(await call('list_waterings', { module, detail: 'full' })).data,
    );
    return (await Promise.all(lists)).flat();
  };

  describe('rounds of a call at several processes', () => {
    /** A watering of a probe that was chosen in a first round, and that waits for its flow rate. */
    const waitForFlow = async (idempotencyKey?: string) => {
      const block = await newBlock(call);
      const args = { ...block.ambiguous, detail: 'full', idempotencyKey };
      const which = questionOf(await post(0, 'log_watering', args));
      const chosen = {
        requestState: which.requestState,
        inputResponses: answer('module', block.labels[1]),
      };
      const { requestState } = questionOf(await post(1, 'log_watering', args, chosen));
      let turn = 0;
      /** Sends calls to the processes by turns. */
      const answerWith = async (inputResponses: object) => {
        const process = turn++ % 2 === 0 ? 0 : 1;
        const { result } = (
          await post(process, 'log_watering', args, { requestState, inputResponses })
        ).body;
        return { result, text: firstText(result), event: bodyOf(result).event };
      };
      const [, module] = block.probes;
      const storedFlow = async () =>
        bodyOf(await call('get_irrigation_setup', { module })).installation.flowMmPerH;
      return { ...block, module, args, chosen, answerWith, storedFlow };
    };
    const decline = { flowMmPerH: { action: 'decline' } };

    it.each([
      ['without a key of the caller', undefined],
      ['with a key of the caller', 'own key'],
    ])('record the watering once, with both answers, %s', async (_, idempotencyKey) => {
      const { ids, probes, args, chosen, answerWith } = await waitForFlow(idempotencyKey);
      // Also if the client never comes back.
      expect(await wateringsOf(...probes)).toMatchObject([{ moduleId: ids[1], waterMm: null }]);
      const { result, event, text } = await answerWith(answer('flowMmPerH', '4,0'));
      // 45 min at 4 mm/h.
      expect(event).toMatchObject({
        moduleId: ids[1],
        waterMm: 3,
        configSnapshot: { flowMmPerH: 4 },
      });
      expect(result._meta).not.toHaveProperty(['acequia/replayed']);
      expect(text).toMatch(/The person gave the application rate: 4 mm\/h/);

      // A client that lost an answer repeats either round.
      expect((await answerWith(answer('flowMmPerH', '4,0'))).event).toEqual(event);
      expect(bodyOf((await post(1, 'log_watering', args, chosen)).body.result).event).toEqual(
        event,
      );
      expect(await wateringsOf(...probes)).toHaveLength(1);
      const { data } = (await services[0].request('GET', '/changes', { key })).body;
      expect(data.map((each: Json) => each.operation).slice(0, 2)).toEqual([
        'correct_installation',
        'log_watering',
      ]);
    });

    it('record one watering if the same round is sent to both at once', async () => {
      const { probes, ambiguous, labels } = await newBlock(call);
      const { requestState } = questionOf(await post(0, 'log_watering', ambiguous));
      const chosen = { requestState, inputResponses: answer('module', labels[1]) };
      await Promise.all(
        ([0, 1] as const).map((process) => post(process, 'log_watering', ambiguous, chosen)),
      );
      expect(await wateringsOf(...probes)).toHaveLength(1);
    });

    it('keep a flow rate that was entered after the question', async () => {
      const { module, answerWith, storedFlow } = await waitForFlow();
      bodyOf(await call('correct_installation', { module, flowMmPerH: 8 }));
      const { text, event } = await answerWith(answer('flowMmPerH', 6));
      // 45 min at 8 mm/h.
      expect([event.waterMm, await storedFlow()]).toEqual([6, 8]);
      expect(text).toMatch(
        /6 mm over the whole area.*6 mm[/]h, but it was not entered: the equipment has 8 mm[/]h by now/,
      );
      expect((await answerWith(decline)).text).not.toMatch(/no dose yet|not entered/);
      expect((await answerWith({})).event.waterMm).toBe(6);
    });

    it('enter nothing for a watering that was undone', async () => {
      const { answerWith, storedFlow } = await waitForFlow();
      bodyOf(await call('undo', {}));
      const { text } = await answerWith(answer('flowMmPerH', 6));
      expect(text).toMatch(
        /undone since.*6 mm[/]h, but it was not entered: There is no such watering\./,
      );
      expect(await storedFlow()).toBeNull();
    });

    it('enter nothing for a watering that needs no flow rate any more', async () => {
      const { module, answerWith, storedFlow } = await waitForFlow();
      const [{ id: eventId }] = await wateringsOf(module);
      bodyOf(await call('correct_watering', { eventId, inputMode: 'depth_mm', inputDepthMm: 5 }));
      const { text, event } = await answerWith(answer('flowMmPerH', 6));
      expect([event.waterMm, await storedFlow()]).toEqual([5, null]);
      expect(text).toMatch(
        /not entered: the watering or its equipment was changed after the question/,
      );
    });

    it('enter the first of several answers, and say so to the others', async () => {
      const { answerWith, storedFlow } = await waitForFlow();
      const flows = [4, 5, 6, 7];
      const results = await Promise.all(
        flows.map((flow) => answerWith(answer('flowMmPerH', flow))),
      );
      const stored = await storedFlow();
      expect(flows).toContain(stored);
      for (const [index, { text, event }] of [
        ...results,
        await answerWith(answer('flowMmPerH', 9)),
      ].entries()) {
        expect([event.configSnapshot.flowMmPerH, event.waterMm]).toEqual([stored, stored * 0.75]);
        expect(text).not.toMatch(/no dose yet|idempotencyKey/);
        expect(text.includes(`not entered: the equipment has ${stored} mm/h by now`)).toBe(
          flows[index] !== stored,
        );
      }
    });

    it('say that the first choice of a name was carried out', async () => {
      const { probes, ambiguous, labels } = await newBlock(call, null);
      const { requestState } = questionOf(await post(0, 'log_watering', ambiguous));
      const choose = async (label: string) =>
        (
          await post(0, 'log_watering', ambiguous, {
            requestState,
            inputResponses: answer('module', label),
          })
        ).body.result;
      expect(firstText(await choose(labels[1]))).not.toContain('Already logged');
      const other = await choose(labels[0]);
      expect(firstText(other)).toContain(probes[1]);
      expect(firstText(other)).toMatch(/^Already logged .*: nothing new was written[.]/);
      expect(other._meta).toHaveProperty(['acequia/replayed'], true);
      expect(await wateringsOf(...probes)).toHaveLength(1);
    });
  });

  describe('a state of another call', () => {
    it('is refused, and nothing is written', async () => {
      const { probes, ids, labels, ambiguous } = await newBlock(call, null);
      const which = questionOf(await post(0, 'log_watering', ambiguous));
      const inputResponses = answer('module', labels[0]);
      const { requestState } = which;
      const otherKey = await services[0].newKey('--surface', 'mcp');
      const altered = `${requestState.slice(0, -5)}AAAAA`;
      const attempts: [string, string, Json, unknown][] = [
        [key, 'log_watering', { ...ambiguous, durationMin: 46 }, requestState],
        [key, 'create_alert', { module: ambiguous.module, threshold: 20 }, requestState],
        [otherKey, 'log_watering', ambiguous, requestState],
        ...[altered, '', 'e30.e30.e30.e30.e30', 'x'.repeat(100_000), 1, {}, null, ['x']].map(
          (state): [string, string, Json, unknown] => [key, 'log_watering', ambiguous, state],
        ),
      ];
      for (const [sender, name, args, state] of attempts) {
        const { body } = await postRound(services[0], sender, name, args, {
          requestState: state,
          inputResponses,
        });
        expect(body.error, JSON.stringify(state).slice(0, 80)).toMatchObject({
          code: -32602,
          message: expect.stringMatching(
            /does not belong to this call.*[Rr]epeat the call without requestState/,
          ),
        });
      }
      expect(await wateringsOf(...probes)).toEqual([]);
      const alone = questionOf(await post(0, 'log_watering', ambiguous, { inputResponses }));
      expect(alone.inputRequests).toEqual(which.inputRequests);
      // It still serves its own call.
      const own = await post(0, 'log_watering', ambiguous, { requestState, inputResponses });
      expect(bodyOf(own.body.result).event.moduleId).toBe(ids[0]);
      expect(withoutHeldLoop(services[0].stderr())).toBe('');
    });
  });
}

/** A test that starts and kills processes of its own. */
export function describeSharedSecret(): void {
  it('rounds at several processes share one secret, whichever asked first, also with a process that starts after both were killed', async () => {
    const db = await newBaseFarm();
    const { key: own } = await createTestKey(db, '--surface', 'mcp');
    const [one, other] = await Promise.all(
      [1, 2].map(() => serveStoreForTest(db, '--clock', CLOCK)),
    );
    const ambiguous = {
      module: 'North',
      startedAt: 'today 6:00',
      inputMode: 'duration',
      durationMin: 45,
    };
    const asked = await Promise.all(
      [one!, other!].map(async (each) =>
        questionOf(await postRound(each, own, 'log_watering', ambiguous)),
      ),
    );
    const choose = async (service: RestService, { requestState }: Json) => {
      const round = { requestState, inputResponses: answer('module', 'North 1 (#1)') };
      return bodyOf((await postRound(service, own, 'log_watering', ambiguous, round)).body.result)
        .event;
    };
    const event = await choose(other!, asked[0]);
    expect(event.moduleId).toBe(1);
    for (const { child, ended } of [one!, other!]) {
      child.kill('SIGKILL');
      await ended;
    }
    const restarted = await serveStoreForTest(db, '--clock', CLOCK);
    expect((await choose(restarted, asked[0])).id).toBe(event.id);
    expect((await choose(restarted, asked[1])).id).not.toBe(event.id);
    expect(await rowsOf(db, 'select name from secrets')).toEqual([{ name: 'request-state' }]);
  });
}
