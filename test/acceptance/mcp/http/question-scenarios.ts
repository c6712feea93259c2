import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../stores/stores.ts';
import { bodyOf, firstText } from '../../mcp-session.ts';
import { CLOCK, type Json } from '../../program.ts';
import { serveStoreForTest } from '../../rest-service.ts';
import {
  AMBIGUOUS,
  answer,
  farmWithoutFlow,
  ON_NORTH_2,
  postRound,
  questionOf,
  serveWithKey,
  waterings,
} from './question-rounds.ts';

/** What depends on the store that the processes share. */
export function describeQuestionRounds(): void {
  describe('rounds of a call at several processes', () => {
    const NAMED = 'North 2 (#2)';
    const chooseAndGive = async (between: (round: number) => Promise<void>, idempotencyKey?: string) => {
      const db = await farmWithoutFlow();
      const { service, key } = await serveWithKey(db);
      const services = [service, await serveStoreForTest(db, '--clock', CLOCK)] as const;
      const args = { ...AMBIGUOUS, detail: 'full', idempotencyKey };
      const caller = { key };
      const which = questionOf(await postRound(services[0], caller, 'log_watering', args));
      await between(1);
      const chosen = { requestState: which.requestState, inputResponses: answer('module', NAMED) };
      const flow = questionOf(await postRound(services[1], caller, 'log_watering', args, chosen));
      await between(2);
      return { db, services, key, args, which, chosen, flow };
    };

    it.each([undefined, 'own key'])('record the watering once, with both answers (%s)', async (idempotencyKey) => {
      const { services, key, args, chosen, flow } = await chooseAndGive(async () => undefined, idempotencyKey);
      expect(await waterings(services[0], key)).toMatchObject([{ moduleId: 2, waterMm: null }]);
      const given = { requestState: flow.requestState, inputResponses: answer('flowMmPerH', '4,0') };
      const { result } = (await postRound(services[0], { key }, 'log_watering', args, given)).body;
      // 45 min at 4 mm/h.
      expect(bodyOf(result).event).toMatchObject({ moduleId: 2, waterMm: 3, configSnapshot: { flowMmPerH: 4 } });
      expect(result._meta).not.toHaveProperty(['acequia/replayed']);
      expect(firstText(result)).toMatch(/The person gave the flow rate: 4 mm\/h/);

      // A client that lost an answer repeats either round.
      const again = (await postRound(services[1], { key }, 'log_watering', args, given)).body.result;
      expect(bodyOf(again).event).toEqual(bodyOf(result).event);
      const early = (await postRound(services[1], { key }, 'log_watering', args, chosen)).body.result;
      expect(bodyOf(early).event).toEqual(bodyOf(result).event);
      expect(await waterings(services[0], key)).toHaveLength(1);
      const { data } = (await services[0].request('GET', '/changes', { key })).body;
      expect(data.map((each: Json) => each.operation).slice(0, 2)).toEqual(['correct_installation', 'log_watering']);
    });

    it('record the watering once if the client never comes back', async () => {
      const { services, key } = await chooseAndGive(async () => undefined);
      expect(await waterings(services[1], key)).toMatchObject([{ moduleId: 2, waterMm: null }]);
    });

    it('go on after both processes were killed', async () => {
      const { db, services, key, args, flow } = await chooseAndGive(async () => undefined);
      for (const { child, ended } of services) {
        child.kill('SIGKILL');
        await ended;
      }
      const restarted = await serveStoreForTest(db, '--clock', CLOCK);
      const given = { requestState: flow.requestState, inputResponses: answer('flowMmPerH', 4) };
      const { result } = (await postRound(restarted, { key }, 'log_watering', args, given)).body;
      expect(bodyOf(result).event.waterMm).toBe(3);
      expect(await waterings(restarted, key)).toHaveLength(1);
    });

    it('record one watering if the same round is sent to both at once', async () => {
      const { services, key, args, chosen } = await chooseAndGive(async () => undefined);
      await Promise.all(services.map((each) => postRound(each, { key }, 'log_watering', args, chosen)));
      expect(await waterings(services[0], key)).toHaveLength(1);
    });

    /** A watering that waits for its flow rate; `answerWith` sends an answer, by turns to each process. */
    const waitForFlow = async () => {
      const { services, key, args, flow } = await chooseAndGive(async () => undefined);
      let turn = 0;
      const answerWith = async (response: object) => {
        const round = { requestState: flow.requestState, inputResponses: response };
        const { body } = await postRound(services[turn++ % 2]!, { key }, 'log_watering', args, round);
        return { text: firstText(body.result), event: bodyOf(body.result).event };
      };
      const call = async (name: string, fields: object) =>
        bodyOf((await postRound(services[0], { key }, name, fields)).body.result);
      const storedFlow = async () =>
        (await call('get_irrigation_setup', { module: 'North 2' })).installation.flowMmPerH;
      return { services, key, answerWith, call, storedFlow };
    };
    const decline = { flowMmPerH: { action: 'decline' } };

    it('keep a flow rate that was entered after the question', async () => {
      const { answerWith, call, storedFlow } = await waitForFlow();
      await call('correct_installation', { module: 'North 2', flowMmPerH: 8 });
      const { text, event } = await answerWith(answer('flowMmPerH', 6));
      // 45 min at 8 mm/h.
      expect([event.waterMm, await storedFlow()]).toEqual([6, 8]);
      expect(text).toMatch(
        /6 mm over the whole area.*6 mm[/]h, but it was not entered: the equipment has 8 mm[/]h by now/,
      );
      expect((await answerWith(decline)).text).not.toMatch(/no dose yet|not entered/);
      expect((await answerWith({})).event.waterMm).toBe(6);
    });

    it('enter nothing for a watering that was taken back', async () => {
      const { answerWith, call, storedFlow } = await waitForFlow();
      await call('undo', {});
      const { text } = await answerWith(answer('flowMmPerH', 6));
      expect(text).toMatch(/undone since.*6 mm[/]h, but it was not entered: There is no watering/);
      expect(await storedFlow()).toBeNull();
    });

    it('enter nothing for a watering that needs no flow rate any more', async () => {
      const { services, key, answerWith, call, storedFlow } = await waitForFlow();
      const [{ id: eventId }] = await waterings(services[0], key);
      await call('correct_watering', { eventId, inputMode: 'depth_mm', inputDepthMm: 5 });
      const { text, event } = await answerWith(answer('flowMmPerH', 6));
      expect([event.waterMm, await storedFlow()]).toEqual([5, null]);
      expect(text).toMatch(/not entered: the watering or its equipment was changed after the question/);
    });

    it('enter the first of several answers, and say so to the others', async () => {
      const { answerWith, storedFlow } = await waitForFlow();
      const given = [4, 5, 6, 7];
      const results = await Promise.all(given.map((flow) => answerWith(answer('flowMmPerH', flow))));
      const stored = await storedFlow();
      expect(given).toContain(stored);
      for (const [index, { text, event }] of [...results, await answerWith(answer('flowMmPerH', 9))].entries()) {
        expect([event.configSnapshot.flowMmPerH, event.waterMm]).toEqual([stored, stored * 0.75]);
        expect(text).not.toMatch(/no dose yet|idempotencyKey/);
        expect(text.includes(`not entered: the equipment has ${stored} mm/h by now`)).toBe(given[index] !== stored);
      }
    });

    it('say that the first choice of a name was carried out', async () => {
      const { service, key } = await serveWithKey();
      const { requestState } = questionOf(await postRound(service, { key }, 'log_watering', AMBIGUOUS));
      const choose = async (name: string) => {
        const round = { requestState, inputResponses: answer('module', name) };
        return (await postRound(service, { key }, 'log_watering', AMBIGUOUS, round)).body.result;
      };
      expect(firstText(await choose(NAMED))).not.toContain('before');
      const other = await choose('North 1 (#1)');
      expect(firstText(other)).toMatch(/North 2.*This call was carried out before, with the first answer/);
      expect(other._meta).toHaveProperty(['acequia/replayed'], true);
      expect(await waterings(service, key)).toHaveLength(1);
    });

    it('share one secret, whichever asked first', async () => {
      const { service, key } = await serveWithKey();
      const services = [service, await serveStoreForTest(service.db, '--clock', CLOCK)] as const;
      const asked = await Promise.all(services.map((each) => postRound(each, { key }, 'log_watering', AMBIGUOUS)));
      for (const [index, which] of asked.entries()) {
        const round = {
          requestState: questionOf(which).requestState,
          inputResponses: answer('module', 'North 1 (#1)'),
        };
        const { result } = (await postRound(services[1 - index]!, { key }, 'log_watering', AMBIGUOUS, round)).body;
        expect(bodyOf(result).event.moduleId).toBe(1);
      }
      expect(await rowsOf(service.db, 'select name from secrets')).toEqual([{ name: 'request-state' }]);
    });
  });

  describe('a state of another call', () => {
    it('is refused, and nothing is written', async () => {
      const { service, key } = await serveWithKey(await farmWithoutFlow());
      const which = questionOf(await postRound(service, { key }, 'log_watering', AMBIGUOUS));
      const inputResponses = answer('module', 'North 1 (#1)');
      const { requestState } = which;
      const otherKey = await service.newKey('--surface', 'mcp');
      const altered = `${requestState.slice(0, -5)}AAAAA`;
      const attempts: [string, string, Json, unknown][] = [
        [key, 'log_watering', { ...AMBIGUOUS, durationMin: 46 }, requestState],
        [key, 'create_alert', { module: 'North', threshold: 20 }, requestState],
        [otherKey, 'log_watering', AMBIGUOUS, requestState],
        [key, 'log_watering', AMBIGUOUS, altered],
        [key, 'log_watering', AMBIGUOUS, ''],
        [key, 'log_watering', AMBIGUOUS, 'e30.e30.e30.e30.e30'],
        [key, 'log_watering', AMBIGUOUS, 'x'.repeat(100_000)],
      ];
      for (const [sender, name, args, state] of attempts) {
        const response = await postRound(service, { key: sender }, name, args, { requestState: state, inputResponses });
        expect(response.body.error, String(state).slice(0, 80)).toMatchObject({
          code: -32602,
          message: expect.stringMatching(/does not belong to this call.*[Rr]epeat the call without requestState/),
        });
      }
      expect(await waterings(service, key)).toEqual([]);
      const alone = questionOf(await postRound(service, { key }, 'log_watering', AMBIGUOUS, { inputResponses }));
      expect(alone.inputRequests).toEqual(which.inputRequests);
      // It still serves its own call.
      const own = await postRound(service, { key }, 'log_watering', AMBIGUOUS, { requestState, inputResponses });
      expect(bodyOf(own.body.result).event.moduleId).toBe(1);
      expect(service.stderr()).toBe('');
    });

    it('that is no text is refused in the same words', async () => {
      const { service, key } = await serveWithKey();
      for (const requestState of [1, {}, null, ['x']]) {
        const { body } = await postRound(service, { key }, 'log_watering', AMBIGUOUS, { requestState });
        expect(body.error, JSON.stringify(requestState)).toMatchObject({
          code: -32602,
          message: expect.stringContaining('does not belong to this call'),
        });
      }
      expect(bodyOf((await postRound(service, { key }, 'log_watering', ON_NORTH_2)).body.result).event.id).toBe(1);
    });
  });
}
