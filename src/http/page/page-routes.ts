import type { Admit } from '../admission/admission.ts';
import type { Route, RouteHandler } from '../router.ts';
import { DeviceRoutes } from './device-routes.ts';
import type { PageAccess, PageEnvironment } from './page-access.ts';
import type { PageEvents } from './page-events.ts';
import { livePage, PAGE_FILES, pageFile } from './page-files.ts';
import { SignInRoutes } from './sign-in-routes.ts';

export interface PageOptions {
  /** Build output: page.html, page.json and page/. */
  readonly folder: URL;
  readonly access: PageAccess;
  readonly events: PageEvents;
}

type PageRoutes = [path: string, methods: Readonly<Record<string, Route>>][];

export function pageRoutes(
  options: PageOptions,
  environment: PageEnvironment,
  admit: Admit,
): PageRoutes {
  const signIn = new SignInRoutes(options.access, environment);
  const devices = new DeviceRoutes(options, environment, admit);
  const route = (handler: RouteHandler): Route => ({ operation: null, handler });

  return [
    ['/', { GET: route(livePage(options.folder)) }],
    ['/sign-in', { GET: route(signIn.page), POST: route(signIn.openSession) }],
    ['/sign-in/link', { POST: route(signIn.describeLink) }],
    ['/page/device', { GET: route(devices.describe) }],
    ['/page/push', { PUT: route(devices.startPush), DELETE: route(devices.endPush) }],
    ['/page/events', { GET: route(devices.eventStream) }],
    ['/sign-out', { POST: route(devices.closeSession) }],
    ...Object.entries(PAGE_FILES).map(([name, type]): PageRoutes[number] => [
      `/${name}`,
      { GET: route(pageFile(options.folder, name, type)) },
    ]),
  ];
}
