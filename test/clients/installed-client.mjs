import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ran } from './ran.mjs';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

/** A client that was installed in a folder of its own: it has no account, no home but that, and no way out. */
export async function installClient({ name, from, bin }, version, folder) {
  const at = join(folder, name);
  const home = join(at, 'home');
  await mkdir(home, { recursive: true });
  await writeFile(join(at, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel', 'error', `${from}@${version}`];
  await ran('npm', args, { cwd: at, env: process.env });
  const { version: installed } = JSON.parse(await readFile(join(at, 'node_modules', from, 'package.json'), 'utf8'));
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, USERPROFILE: home, TMPDIR: at, LANG: 'C.UTF-8', NO_COLOR: '1', CI: '1' },
    ...{ HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE, http_proxy: NOWHERE, https_proxy: NOWHERE },
    ...{ NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' },
  };
  return {
    version: installed,
    home,
    env,
    binary: join(at, 'node_modules', '.bin', bin),
    /** Runs it in an empty folder for this way, with files that it finds there; gives all it wrote. */
    async run(way, args, { files = {}, more = {} } = {}) {
      const cwd = join(at, way);
      await mkdir(cwd, { recursive: true });
      for (const [file, content] of Object.entries(files))
        await writeFile(join(cwd, file), JSON.stringify(content, null, 2));
      return ran(join(at, 'node_modules', '.bin', bin), args, { cwd, env: { ...env, ...more } });
    },
  };
}
