import { forwardRef, memo } from 'react';
import { Plain } from './react';

export default memo(
  forwardRef((props, ref) => {
    return <Plain {...props} ref={ref} />;
  }),
);
