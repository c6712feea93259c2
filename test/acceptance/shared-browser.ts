import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

let connecting: Promise<Browser> | undefined;

/** The browser of the run. Who opens a page or a context in it closes that. */
export function sharedBrowser(): Promise<Browser> {
  connecting ??= connect();
  return connecting;
}

async function connect(): Promise<Browser> {
  const answer = await fetch(inject('browserBroker'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return chromium.connect(text);
}
