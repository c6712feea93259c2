import { hash } from 'node:crypto';
import type { Lang } from '../../domain/lang.ts';
import { languageOf } from '../../language/index.ts';

/**
 * The link is used only when the person clicks, because mail scanners and previews open every link
 * and run its scripts. The page first shows who would sign in to which farm, because a link that a
 * stranger sent looks like any other.
 */
const SCRIPT = `const [button, refused, failed, whom] = ['button', '#refused', '#failed', '#whom'].map((name) => document.querySelector(name));
const link = location.hash.slice(1);
const show = (message) => {
  button.disabled = false;
  button.hidden = message === refused;
  for (const each of [whom, refused, failed]) each.hidden = each !== message;
};
const post = (path, then) => async () => {
  button.disabled = true;
  try {
    const headers = { 'Acequia-Page': '1', 'Content-Type': 'application/json' };
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ link }) });
    if (!answer.ok) return show(answer.status === 401 || answer.status === 400 ? refused : failed);
    await then(answer);
  } catch {
    show(failed);
  }
};
const enter = post('sign-in', async () => {
  if (window.caches) for (const name of await caches.keys()) await caches.delete(name);
  location.replace('./');
});
const describe = post('sign-in/link', async (answer) => {
  const { name, email, farm } = await answer.json();
  document.querySelector('#person').textContent = name + ' (' + email + ')';
  document.querySelector('#farm').textContent = farm;
  button.onclick = enter;
  show(whom);
});
button.onclick = describe;
if (link) describe();
else show(refused);`;

const STYLE = `:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.125rem/1.5 system-ui, sans-serif; background: #f4f4f2; color: #1f2933; }
main { max-width: 24rem; padding: 1.5rem; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.3; }
button { width: 100%; min-height: 3.5rem; border: 0; border-radius: 0.75rem; background: #0e6680; color: #fff; font: inherit; font-weight: 600; }
button:disabled { opacity: 0.6; }
[role=alert] { padding: 0.75rem 1rem; border-left: 0.25rem solid #c2410c; background: #fff; }
[hidden] { display: none; }
@media (prefers-color-scheme: dark) { body { background: #14181c; color: #e4e7eb; } [role=alert] { background: #1f252b; } }`;

const hashOf = (text: string): string => `sha256-${hash('sha256', text, 'base64')}`;

export const SIGN_IN_SCRIPT_HASH = hashOf(SCRIPT);
export const SIGN_IN_STYLE_HASH = hashOf(STYLE);

export function signInPage(lang: Lang): string {
  const { title, whom, lead, button, refused, failed, noScript } = languageOf(lang).signIn;
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p id="whom" hidden>${whom('<strong id="person"></strong>', '<strong id="farm"></strong>')}</p>
<p>${lead}</p>
<p id="refused" role="alert" hidden>${refused}</p>
<p id="failed" role="alert" hidden>${failed}</p>
<button type="button" hidden>${button}</button>
<noscript>${noScript}</noscript>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** In this order, because an Android phone also names Linux. */
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
];

/** In this order, because most browsers also name those that they imitate. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** A name such as "Chrome, Android", so that people recognise their devices in a list. */
export function deviceName(userAgent: string | undefined): string | null {
  const firstMatch = (names: typeof SYSTEMS): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];

  const parts = [firstMatch(BROWSERS), firstMatch(SYSTEMS)].filter((part) => part !== undefined);
  return parts.length === 0 ? null : parts.join(', ');
}
