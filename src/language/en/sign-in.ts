/** Of the page that a sign-in link opens. */
export const englishSignIn = {
  title: 'Sign in to Acequia',
  whom: (person: string, farm: string) =>
    `You sign in as ${person} at the farm ${farm}. If that is not you, or not your farm, close this page.`,
  lead: 'You stay signed in on this device for 90 days. The link works only once.',
  button: 'Sign in',
  refused: 'This link was already used, has expired, or is not complete. Ask for a new one.',
  failed: 'The service does not answer. Check the connection and try again.',
  noScript: 'This page needs JavaScript.',
};
