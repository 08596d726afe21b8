import {createContext, useContext} from 'react';

const LeavingContext = createContext(false);

export const LeavingProvider = LeavingContext.Provider;

/** Whether this is the last frame, which stays in the scrollback: no key works there any more. */
export const useIsLeaving = (): boolean => useContext(LeavingContext);
