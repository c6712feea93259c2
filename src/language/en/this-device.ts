/** Of what the live page says about the device that it is on. */
export const englishThisDevice = {
  offline: (ago: string) => `No connection. What you see is from ${ago}.`,
  signedIn: (email: string) => `Signed in as ${email}`,
  signOut: 'Sign out',
  notify: 'Notify me of alerts on this device',
  blocked: 'Notifications are blocked. Allow them for this page in the settings of the browser.',
  failed: 'That did not work. Try again when there is a connection.',
};
