import type { englishSignIn } from '../en/sign-in.ts';

export const spanishSignIn: typeof englishSignIn = {
  title: 'Entrar en Acequia',
  whom: (person, farm) =>
    `Entrará como ${person} en la finca ${farm}. Si no es usted, o no es su finca, cierre esta página.`,
  lead: 'La sesión queda abierta en este dispositivo durante 90 días. El enlace sirve una sola vez.',
  button: 'Entrar',
  refused: 'Este enlace ya se usó, ha caducado o está incompleto. Pida uno nuevo.',
  failed: 'El servicio no responde. Compruebe la conexión y vuelva a intentarlo.',
  noScript: 'Esta página necesita JavaScript.',
};
