"""What the app does besides showing: asyncio, without Qt. Hands frozen values over the bridge."""
