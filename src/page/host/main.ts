import { openInHost } from './open-in-host.tsx';

void openInHost(document.getElementById('page')!);
