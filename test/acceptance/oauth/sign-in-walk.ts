import type { Page } from 'playwright-core';
import { afterTest } from '../../cleanup.ts';
import { sharedBrowser } from '../shared-browser.ts';

/**
 * Goes from the authorization address through the pages of the issuer; ends at an address of the
 * client.
 */
export type SignInWalk = (from: URL, login: string, redirectUrl: string) => Promise<URL>;

export async function newBrowserWalk(): Promise<SignInWalk> {
  const browser = await sharedBrowser();
  const page = await browser.newPage();
  afterTest(() => page.close());
  return async (from, login, redirectUrl) => {
    await page.goto(from.href);
    while (!page.url().startsWith(redirectUrl)) await submitPage(page, login);
    return new URL(page.url());
  };
}

async function submitPage(page: Page, login: string): Promise<void> {
  if ((await page.locator('input[name=login]').count()) > 0) {
    await page.locator('input[name=login]').fill(login);
    await page.locator('input[name=password]').fill('any');
  }
  await Promise.all([page.waitForNavigation(), page.locator('button[type=submit]').click()]);
}

/** Does with these pages what a browser does: cookies, redirects and forms. */
export async function newRequestWalk(): Promise<SignInWalk> {
  const cookies = new Map<string, string>();

  async function request(url: URL, form?: URLSearchParams): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = form ? { method: 'POST', body: form } : {};
    const response = await fetch(url, { ...sent, headers: { cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return response;
  }

  return async (from, login, redirectUrl) => {
    let url = from;
    let form: URLSearchParams | undefined;
    while (!url.href.startsWith(redirectUrl)) {
      const response = await request(url, form);
      const location = response.headers.get('location');
      const page = await response.text();
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
      if (location === null && action === undefined)
        throw new Error(`${response.status} at ${url}: ${page}`);
      form =
        location === null
          ? new URLSearchParams({ prompt: promptOf(page), login, password: 'any' })
          : undefined;
      url = new URL(location ?? action!, url);
    }
    return url;
  };
}

const promptOf = (page: string): string => /name="prompt" value="(\w+)"/.exec(page)![1]!;
