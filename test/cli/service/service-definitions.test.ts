import { execFileSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import { parse as parsePlist } from 'plist';
import { describe, expect, it } from 'vitest';
import { formatAgent } from '../../../src/cli/service/platforms/launchd-plist.ts';
import { formatUnit } from '../../../src/cli/service/platforms/systemd-unit.ts';
import { formatTask } from '../../../src/cli/service/platforms/windows-task.ts';
import { propertyRuns } from '../../property-runs.ts';
import { newFolder } from '../../temporary-places.ts';
import { commandOfAgent, commandOfTask, commandOfUnit } from './definition-commands.ts';

const HARD_WORDS = [
  'plain',
  '/opt/a folder/acequia.js',
  '50%h',
  'a & b <c>',
  `'single' "double"`,
  'C:\\Program Files\\Acequia\\',
  'back\\slash\\"quote',
  '$HOME $$X',
  '',
  'ñandú',
];
const PROGRAM = '/usr/bin/node';
const unit = (command: readonly string[], user: string | null = null) =>
  formatUnit({ description: 'Acequia: tests', command, user });
const agent = (command: readonly string[]) =>
  formatAgent({ label: 'acequia', command, errorFile: '/Users/o’neill & co/acequia.log' });
const task = (command: readonly string[]) =>
  formatTask({ description: 'Acequia: a & b', command, user: 'FARM\\ana' });

describe.each([
  ['ExecStart', (command: readonly string[]) => commandOfUnit(unit(command))],
  ['ProgramArguments', (command: readonly string[]) => commandOfAgent(agent(command))],
  ['Command and Arguments', (command: readonly string[]) => commandOfTask(task(command))],
])('the words in %s', (_, roundTrip) => {
  it('are those of the command, whatever signs they have', () => {
    const command = [PROGRAM, ...HARD_WORDS];
    expect(roundTrip(command)).toEqual(command);

    const word = fc.string({ unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        expect(roundTrip([PROGRAM, ...words])).toEqual([PROGRAM, ...words]);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

describe('the unit of systemd', () => {
  it('restarts after 5 s, but not after wrong usage, and belongs to whom it says', () => {
    expect(unit([PROGRAM]).split('\n')).toEqual(
      expect.arrayContaining([
        'Restart=always',
        'RestartSec=5',
        'RestartPreventExitStatus=2',
        'WantedBy=default.target',
      ]),
    );
    expect(unit([PROGRAM])).not.toContain('User=');
    expect(unit([PROGRAM], 'ana')).toMatch(/\nUser=ana\n(.*\n)*WantedBy=multi-user.target\n/);
  });

  it('starts a program whose path systemd refuses by env', () => {
    expect(unit([`/home/o'neill/node`, 'x'])).toContain(
      `ExecStart=/usr/bin/env "/home/o'neill/node" x\n`,
    );
  });

  it('is accepted by systemd-analyze, with a program in a folder of hard signs', async (test) => {
    test.skip(!hasCommand('systemd-analyze'), 'systemd-analyze is not installed');
    const home = await newFolder();
    const folder = join(home, 'a b %h $x & c');
    await mkdir(folder);
    await cp('/bin/true', join(folder, 'node'));
    const verify = async (text: string): Promise<string> => {
      await writeFile(join(home, 'acequia.service'), text);
      const env = { ...process.env, XDG_RUNTIME_DIR: home };
      const args = ['--user', 'verify', join(home, 'acequia.service')];
      try {
        return execFileSync('systemd-analyze', args, { env, encoding: 'utf8', stdio: 'pipe' });
      } catch (error) {
        return String((error as { stderr: string }).stderr);
      }
    };

    expect(await verify(unit([join(folder, 'node'), ...HARD_WORDS.filter(Boolean)]))).toBe('');
    expect(await verify(unit(['/usr/bin/env', 'x'], 'root'))).toBe('');
    expect(await verify(unit([join(folder, 'none')]))).toContain('is not executable');
  });
});

const hasCommand = (name: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`]);
    return true;
  } catch {
    return false;
  }
};

it('the agent of launchd is restarted unless it ends with 0, starts at login, and logs its start', () => {
  expect(parsePlist(agent([PROGRAM, 'x']))).toEqual({
    Label: 'acequia',
    ProgramArguments: [PROGRAM, 'x'],
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 5,
    ProcessType: 'Background',
    Umask: 0o077,
    StandardErrorPath: '/Users/o’neill & co/acequia.log',
  });
});

it('the task of Windows starts at the logon of its user, never twice, without a limit of time', () => {
  const document = new DOMParser().parseFromString(task([PROGRAM, 'x']).slice(1), 'text/xml');
  const textOf = (name: string) => document.getElementsByTagName(name).item(0)?.textContent;
  const names = [
    ...['UserId', 'LogonType', 'RunLevel', 'MultipleInstancesPolicy', 'ExecutionTimeLimit'],
    ...['DisallowStartIfOnBatteries', 'StopIfGoingOnBatteries', 'Interval', 'Description'],
  ];
  expect(Object.fromEntries(names.map((name) => [name, textOf(name)]))).toEqual({
    UserId: 'FARM\\ana',
    LogonType: 'InteractiveToken',
    RunLevel: 'LeastPrivilege',
    MultipleInstancesPolicy: 'IgnoreNew',
    ExecutionTimeLimit: 'PT0S',
    DisallowStartIfOnBatteries: 'false',
    StopIfGoingOnBatteries: 'false',
    Interval: 'PT1M',
    Description: 'Acequia: a & b',
  });
  expect(task([PROGRAM])).toMatch(/^\ufeff<\?xml version="1.0" encoding="UTF-16"\?>\r\n/);
});
