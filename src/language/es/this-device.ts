import type { englishThisDevice } from '../en/this-device.ts';

export const spanishThisDevice: typeof englishThisDevice = {
  offline: (ago) => `Sin conexión. Datos de ${ago}.`,
  signedIn: (email) => `Sesión de ${email}`,
  signOut: 'Cerrar sesión',
  notify: 'Avisarme de las alertas en este dispositivo',
  blocked: 'Las notificaciones están bloqueadas. Permítalas para esta página en los ajustes del navegador.',
  failed: 'No se pudo. Vuelva a intentarlo cuando haya conexión.',
};
