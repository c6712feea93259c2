import { describe } from 'vitest';
import { BROWSER } from '../browser.ts';
import { itSignsIn, sharedSignIn } from './sign-in.ts';
import { newBrowserWalk } from './sign-in-walk.ts';

const setting = sharedSignIn();

describe.skipIf(BROWSER === undefined)('an assistant that signs in in a browser', () =>
  itSignsIn(setting, 'auto', newBrowserWalk),
);
