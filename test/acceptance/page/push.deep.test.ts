// With failing push services and several people on one phone.
import './push.test.ts';
