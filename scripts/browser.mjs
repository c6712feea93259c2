// Finds a Chromium for the tests of the page, and installs it in a build container.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const installed = () => [process.env.ACEQUIA_BROWSER, ...PLACES].find((place) => place && existsSync(place)) ?? null;

/** Only as root and without a terminal, so that no person's machine is changed. */
const mayInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && !process.stdin.isTTY;

function install() {
  process.stderr.write('Installing Chromium (apt-get) for the tests of the page …\n');
  const run = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 300_000,
    });
  const packages = ['install', '-y', '--no-install-recommends', 'chromium'];
  if (run(...packages).status === 0) return;
  run('update');
  run(...packages);
}

export function findBrowser() {
  if (!installed() && mayInstall()) install();
  return installed();
}
