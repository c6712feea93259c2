import { describe, expect } from 'vitest';
import { identifyBySession, listSessions } from '../../../src/service/keys/sessions.ts';
import { createSignInLink, signIn } from '../../../src/service/keys/sign-in.ts';
import { openStore } from '../../../src/store/store.ts';
import { DAY, it, type TestFarm } from '../../farm.ts';

const newLink = (farm: TestFarm): Promise<string> =>
  farm.write(async (db) => {
    const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
    return (await createSignInLink(db, id, farm.now)).secret;
  });

describe('a sign-in link', () => {
  it('opens one session, whichever of several processes uses it first', async ({ farm }) => {
    const others = await Promise.all([1, 2].map(() => openStore({ db: farm.db })));
    try {
      for (let round = 0; round < 5; round++) {
        const link = await newLink(farm);
        const attempts = [farm.store, ...others, farm.store].map((store) =>
          signIn(store, link, { device: null, now: farm.now }),
        );
        const outcomes = await Promise.allSettled(attempts);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
    } finally {
      await Promise.all(others.map((store) => store.close()));
    }
  });

  it('opens none after a day', async ({ farm }) => {
    const link = await newLink(farm);
    farm.now += DAY;
    await expect(signIn(farm.store, link, { device: null, now: farm.now })).rejects.toMatchObject({
      code: 'link_invalid',
      hint: expect.stringContaining('create_sign_in_link'),
    });
  });

  it('is no secret of a session, nor the other way round', async ({ farm }) => {
    const link = await newLink(farm);
    const identify = (secret: string) =>
      farm.store.readAll(identifyBySession(secret, () => farm.now));
    await expect(identify(link)).rejects.toMatchObject({ status: 401 });
    const { secret } = await signIn(farm.store, link, { device: null, now: farm.now });
    expect((await identify(secret)).caller.role).toBe('OWNER');
    await expect(signIn(farm.store, secret, { device: null, now: farm.now })).rejects.toMatchObject(
      { status: 401 },
    );
  });
});

describe('a session', () => {
  it('ends where another person signs in with the same browser', async ({ farm }) => {
    const at = { device: null, now: farm.now };
    const before = await signIn(farm.store, await newLink(farm), at);
    const elsewhere = await signIn(farm.store, await newLink(farm), at);
    await signIn(farm.store, await newLink(farm), { ...at, replaced: before.secret });
    const states = async () =>
      (await listSessions(farm.store, null, farm.now)).map(({ state }) => state);
    expect(await states()).toEqual(['revoked', 'active', 'active']);
    const used = signIn(farm.store, 'acequia_link_used', { ...at, replaced: elsewhere.secret });
    await expect(used).rejects.toMatchObject({ code: 'link_invalid' });
    expect(await states()).toEqual(['revoked', 'active', 'active']);
  });

  it('ends after 90 days, and is listed for a month more', async ({ farm }) => {
    const { secret } = await signIn(farm.store, await newLink(farm), {
      device: 'Chrome, Android',
      now: farm.now,
    });
    const identify = () => farm.store.readAll(identifyBySession(secret, () => farm.now));
    farm.now += 90 * DAY - 1;
    await identify();
    farm.now += 1;
    await expect(identify()).rejects.toMatchObject({ status: 401 });
    const states = async () =>
      (await listSessions(farm.store, null, farm.now)).map(({ state }) => state);
    expect(await states()).toEqual(['expired']);
    farm.now += 30 * DAY + 1;
    await newLink(farm);
    expect(await states()).toEqual(['link']);
  });

  it('has its last use recorded once a minute', async ({ farm }) => {
    const { secret } = await signIn(farm.store, await newLink(farm), {
      device: null,
      now: farm.now,
    });
    const used: number[] = [];
    const use = () =>
      farm.store.readAll(
        identifyBySession(
          secret,
          () => farm.now,
          (id) => used.push(id),
        ),
      );
    await use();
    farm.now += 60_000;
    await use();
    expect(used).toHaveLength(1);
  });
});
