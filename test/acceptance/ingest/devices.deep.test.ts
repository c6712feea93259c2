// On a remote service too.
import './devices.test.ts';
