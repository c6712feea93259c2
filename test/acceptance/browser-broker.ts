import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { BROWSER, BROWSER_ARGUMENTS } from './browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly browserBroker: string;
  }
}

/**
 * One browser for all processes of a run: it starts on the first request, which is answered with
 * its address, and stops with the run.
 */
export default async function startBrowserBroker(
  project: TestProject,
): Promise<() => Promise<void>> {
  let launching: Promise<BrowserServer> | undefined;
  const launched = (): Promise<BrowserServer> => {
    launching ??= launch();
    return launching;
  };

  const broker = createServer((_, response) => {
    launched().then(
      (browser) => response.end(browser.wsEndpoint()),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  });
  broker.listen(0, '127.0.0.1');
  await once(broker, 'listening');
  project.provide('browserBroker', `http://127.0.0.1:${(broker.address() as AddressInfo).port}`);

  return async () => {
    broker.closeAllConnections();
    broker.close();
    const browser = await launching?.catch(() => undefined);
    await browser?.close();
  };
}

async function launch(): Promise<BrowserServer> {
  const { chromium } = await import('playwright-core');
  return chromium.launchServer({ executablePath: BROWSER!, args: BROWSER_ARGUMENTS });
}
