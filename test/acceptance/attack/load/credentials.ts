import { newLink, signInTo } from '../../page/signed-in.ts';
import type { RestService } from '../../rest-service.ts';
import { ATTACKER, ATTACKER_MEMBERS, attackersFarm, memberEmail } from './attacked-store.ts';
import type { AttackPlan } from './attackers/plan.ts';
import { type AttackMix, STREAMS_PER_KEY } from './mix.ts';

/** Every attacker of the mix gets a key or a session of the attackers' company. */
export async function planAttack(service: RestService, mix: AttackMix): Promise<AttackPlan> {
  const { viewers, assistants, uploads, hasSchedule } = mix;
  const newKey = (preset: string) => service.newKey('--company', ATTACKER, '--preset', preset);
  const newKeys = (count: number, preset: string) =>
    inTurn(
      Array.from({ length: count }, () => preset),
      newKey,
    );

  const listenKeys = await newKeys(Math.ceil(mix.listenStreams / STREAMS_PER_KEY), 'viewer');
  return {
    base: service.base,
    ...(await attackersFarm(service.db)),
    viewers: { ...viewers, keys: await newKeys(viewers.keys, 'viewer') },
    assistantKeys: await newKeys(assistants, 'assistant'),
    pageCookies: await pageCookies(service, mix.pageStreams),
    listenKeys: repeated(listenKeys, mix.listenStreams),
    uploads: await inTurn(uploads, async (form) => ({ form, key: await newKey('ingest') })),
    scheduleKey: hasSchedule ? await newKey('assistant') : null,
  };
}

async function pageCookies(service: RestService, streams: number): Promise<string[]> {
  const members = Array.from({ length: streams === 0 ? 0 : ATTACKER_MEMBERS }, (_, n) => n);
  const sessions = await inTurn(members, async (member) => {
    const who = { company: ATTACKER, user: memberEmail(ATTACKER, member), at: Date.now() };
    return signInTo(service, await newLink(service, who));
  });
  return repeated(sessions, streams).map(({ cookie }) => cookie);
}

const repeated = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, index) => all[index % all.length]!);

async function inTurn<T, R>(all: readonly T[], each: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await each(one));
  return results;
}
