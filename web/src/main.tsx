import { createRoot } from 'react-dom/client'
import './theme.css'
import { takeToken } from './api/client.ts'
import { Frame } from './frame/frame.tsx'

await takeToken()
addEventListener('hashchange', () => void takeToken())
createRoot(document.getElementById('page') as HTMLElement).render(<Frame />)
