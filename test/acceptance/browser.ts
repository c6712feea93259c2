import { existsSync } from 'node:fs';

/** Undefined where there is no browser. */
export const BROWSER = [process.env.ACEQUIA_BROWSER, '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);

export const BROWSER_ARGUMENTS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
