import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '../../temporary-places.ts';

/**
 * A home with commands of systemd in it that note how they were called. What was restarted is on
 * until it is disabled.
 */
export async function newServiceHome() {
  const home = await newFolder();
  const bin = join(home, 'bin');
  await mkdir(bin);
  for (const name of ['systemctl', 'loginctl', 'journalctl']) {
    await writeFile(join(bin, name), SCRIPT);
    await chmod(join(bin, name), 0o755);
  }

  const calls = join(home, 'calls');
  const env = {
    HOME: home,
    PATH: `${bin}:${process.env.PATH}`,
    // No address to wait for.
    ACEQUIA_PORT: '0',
  };
  const config = join(home, '.config');
  return {
    home,
    env,
    envFile: join(config, 'acequia', 'service.env'),
    unitFile: (name: string) => join(config, 'systemd', 'user', `${name}.service`),
    /** Lets commands that have these words fail. */
    fail: (words: string, text: string) => writeFile(join(home, 'failure'), `${words}\n${text}\n`),
    /** The commands since the last call. */
    async calls(): Promise<string[]> {
      const text = await readFile(calls, 'utf8').catch(() => '');
      await rm(calls, { force: true });
      return text.split('\n').filter(Boolean);
    },
  };
}

const SCRIPT = `#!/bin/sh
cd "$HOME"
line="$(basename "$0") $*"
echo "$line" >> calls
if [ -f failure ] && case "$line" in *"$(head -1 failure)"*) true;; *) false;; esac
then tail -1 failure >&2; exit 1
fi
case "$line" in
  *" restart "*) touch on;;
  *" disable "*) rm -f on;;
  *" is-active "*) if [ -f on ]; then echo active; else echo inactive; exit 3; fi;;
  *show-user*) echo "Linger=$([ -f lingering ] && echo yes || echo no)";;
  *enable-linger*) touch lingering;;
  journalctl*) echo "a line of the log";;
esac
`;
