import { describe, expect, it } from 'vitest';
import { signIn } from '../../../src/service/keys/sign-in.ts';
import { CLOCK } from '../../acceptance/program.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { storedContents, withSecondStore } from '../../stores/stores.ts';

const LINK = /^http:\/\/127\.0\.0\.1:8383\/sign-in#(acequia_link_[\w-]{43})\n$/;

const keys = (db: string, ...args: string[]) =>
  runInProcess(['keys', ...args, '--db', db, '--clock', CLOCK]);

describe('acequia keys link', () => {
  it('prints the whole address alone, a QR code and who it is for beside it, and stores only a hash', async () => {
    const db = await newBaseFarm();
    const { stdout, stderr } = await keys(db, 'link', '--user', 'ana@example.org');
    const secret = LINK.exec(stdout)![1]!;
    expect(stderr).toMatch(/^█{20}/);
    expect(stderr).toMatch(
      /"ana@example.org" \(OWNER\) of "Mas Rouge".*works once, until .*this computer only/s,
    );
    expect(stderr).not.toContain(secret);
    expect((await storedContents(db)).includes(secret.slice('acequia_link_'.length))).toBe(false);
  });

  it.each([
    [
      ['--public-url', 'https://water.example.org'],
      0,
      /^https:\/\/water\.example\.org\/sign-in#/,
      /^(?!.*computer only)/s,
    ],
    [
      ['--host', '192.0.2.7', '--port', '9000'],
      0,
      /^http:\/\/192\.0\.2\.7:9000\/sign-in#/,
      /QR|For/,
    ],
    [['--host', '0.0.0.0'], 2, /^$/, /people need one of them.*--public-url/s],
    [['--port', '0'], 2, /^$/, /any free port.*--public-url/s],
    [
      ['--user', 'eve@example.org'],
      1,
      /^$/,
      /no member "eve@example.org".*Members: "ana@example.org"/s,
    ],
    [['--user', 'none'], 1, /^$/, /no member "none"/],
  ])('with %s says the address, or what is missing', async (options, code, stdout, stderr) => {
    const result = await keys(await newBaseFarm(), 'link', ...options);
    expect(result).toMatchObject({
      code,
      stdout: expect.stringMatching(stdout),
      stderr: expect.stringMatching(stderr),
    });
  });
});

it('acequia keys sessions lists links and sessions with their devices, and sign-out ends one', async () => {
  const db = await newBaseFarm();
  const newLink = async () => LINK.exec((await keys(db, 'link')).stdout)![1]!;
  const link = await newLink();
  await withSecondStore(db, (store) =>
    signIn(store, link, { device: 'Chrome, Android', now: Date.parse(CLOCK) }),
  );
  await newLink();
  expect(JSON.parse((await keys(db, 'sessions', '--json')).stdout)).toMatchObject([
    { id: 1, state: 'active', device: 'Chrome, Android', user: { email: 'ana@example.org' } },
    { id: 2, state: 'link', device: null, signedInAt: null },
  ]);
  expect((await keys(db, 'sign-out', '2')).stdout).toBe('Session #2 has ended.\n');
  const { stdout } = await keys(db, 'sessions');
  expect(stdout).toMatch(/^1 +active +Mas Rouge \(#1\) +ana@example.org \(#1\) +Chrome, Android /m);
  expect(stdout).toMatch(/^2 +revoked /m);
  expect(await keys(db, 'sign-out', '9')).toMatchObject({ code: 1 });
});
