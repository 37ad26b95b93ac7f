//! Rollback netcode: two players, each with a session of its own, over UDP on loopback through a
//! network that delays, reorders and loses packets. Inputs arrive late and are simply applied late;
//! hashes of confirmed frames are exchanged and prove that both sides have the same bits.
//!
//! `cargo run --release --example netcode`

use std::collections::BTreeMap;
use std::error::Error;
use std::net::UdpSocket;
use std::time::{Duration, Instant};
use warpline::physics::Vec3;
use warpline::sim::scene::{Override, builtin, load};
use warpline::sim::{Action, BodyId, Kind, Session, World};
use warpline::warp::Pcg32;

const FRAMES: u64 = 600;
/// Real time per frame: faster than a game, to have the example end soon.
const PACE: Duration = Duration::from_millis(4);
/// The network: frames of delay, of jitter on top, and packets lost in a hundred.
const DELAY: u64 = 5;
const JITTER: u32 = 6;
const LOST: u32 = 20;
/// How far a side may run ahead of the other's last known input.
const MOST_AHEAD: u64 = 60;

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let sockets = [
        UdpSocket::bind("127.0.0.1:0")?,
        UdpSocket::bind("127.0.0.1:0")?,
    ];
    sockets[0].connect(sockets[1].local_addr()?)?;
    sockets[1].connect(sockets[0].local_addr()?)?;
    let sides = sockets
        .into_iter()
        .zip(0u32..)
        .map(|(socket, player)| std::thread::spawn(move || Side::new(player, socket)?.play()));
    let mut reports = Vec::new();
    for side in sides.collect::<Vec<_>>() {
        reports.push(side.join().map_err(|_| "a side panicked")??);
    }
    for (player, report) in reports.iter().enumerate() {
        println!(
            "player {player}: {} late inputs, {} bodies simulated again on average, {:.1} us each; \
             {} frames compared, {} packets lost",
            report.late,
            report.again as f64 / report.late.max(1) as f64,
            1e6 * report.seconds / report.late.max(1) as f64,
            report.compared,
            report.lost,
        );
    }
    println!(
        "both sides agree on frame {FRAMES}: {:016x}",
        reports[0].last
    );
    if reports[0].last != reports[1].last {
        return Err("the sides do not agree".into());
    }
    if reports.iter().any(|report| report.compared == 0) {
        return Err("a side has compared nothing".into());
    }
    Ok(())
}

fn world() -> Result<World, Failure> {
    let gas = builtin("gas").ok_or("there is no scene `gas`")?;
    let settings = ["bodies=400", "size=6"].map(Override::parse);
    let settings: Vec<Override> = settings.into_iter().collect::<Result<_, _>>()?;
    Ok(load(gas.name, gas.text, &settings)
        .map_err(|e| e.message)?
        .world)
}

/// A player's input of a frame: both sides could make it up, but only its own does.
fn make_input(player: u32, frame: u64) -> Option<[f64; 3]> {
    let mut dice = Pcg32::new(frame, u64::from(player));
    (dice.below(3) == 0).then(|| std::array::from_fn(|_| 4.0 * dice.unit() - 2.0))
}

#[derive(Default)]
struct Report {
    late: u64,
    again: usize,
    seconds: f64,
    compared: u64,
    lost: u64,
    last: u64,
}

/// What travels: all inputs from a frame on (those the other may not have), what is known of the
/// other's inputs, and the hash of a confirmed frame.
struct Packet {
    first: u64,
    inputs: Vec<Option<[f64; 3]>>,
    known: u64,
    hash: (u64, u64),
}

struct Side {
    player: u32,
    socket: UdpSocket,
    session: Session,
    own: BodyId,
    other: BodyId,
    /// Frames before this have a known input of the other, and the other knows ours before that.
    heard: u64,
    acknowledged: u64,
    /// Packets on their way, by the frame in which they come out of the network.
    wire: BTreeMap<(u64, u64), Vec<u8>>,
    sent: u64,
    hashes: BTreeMap<u64, u64>,
    theirs: BTreeMap<u64, u64>,
    dice: Pcg32,
    report: Report,
}

impl Side {
    fn new(player: u32, socket: UdpSocket) -> Result<Self, Failure> {
        let world = world()?;
        socket.set_nonblocking(true)?;
        let balls: Vec<BodyId> = (0..world.bodies.len() as u32)
            .map(BodyId)
            .filter(|b| world.bodies[b.index()].kind == Kind::Dynamic)
            .collect();
        Ok(Side {
            player,
            socket,
            session: Session::new(world, 60, MOST_AHEAD)?,
            own: balls[player as usize],
            other: balls[1 - player as usize],
            heard: 0,
            acknowledged: 0,
            wire: BTreeMap::new(),
            sent: 0,
            hashes: BTreeMap::new(),
            theirs: BTreeMap::new(),
            dice: Pcg32::new(99, u64::from(player)),
            report: Report::default(),
        })
    }

    fn play(mut self) -> Result<Report, Failure> {
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut beat = 0;
        // Until both sides have everything; then a little longer, for packets that were lost.
        let mut farewell = 0;
        while farewell < 100 {
            if Instant::now() > deadline {
                return Err("the other side is silent".into());
            }
            beat += 1;
            self.receive()?;
            let frame = self.session.frame();
            if frame < FRAMES && frame < self.heard + MOST_AHEAD {
                if let Some(impulse) = make_input(self.player, frame) {
                    self.session
                        .input(frame, self.player, self.own, push(impulse))?;
                }
                self.session.advance_to(frame + 1)?;
            }
            self.confirm()?;
            self.send(beat)?;
            if self.session.confirmed() >= FRAMES && self.acknowledged >= FRAMES {
                farewell += 1;
            }
            std::thread::sleep(PACE);
        }
        self.report.last = self.hashes.get(&FRAMES).copied().unwrap_or_default();
        Ok(self.report)
    }

    /// Takes in what has come: inputs of the past are applied in the past.
    fn receive(&mut self) -> Result<(), Failure> {
        let mut buffer = [0; 65536];
        loop {
            let bytes = match self.socket.recv(&mut buffer) {
                Ok(length) => &buffer[..length],
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Ok(()),
                // The other side has gone: it had everything.
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
            };
            let packet = Packet::from_bytes(bytes).ok_or("a packet makes no sense")?;
            self.acknowledged = self.acknowledged.max(packet.known);
            if packet.hash.0 > 0 {
                self.theirs.insert(packet.hash.0, packet.hash.1);
            }
            for (frame, input) in (packet.first..).zip(packet.inputs) {
                if frame != self.heard {
                    continue;
                }
                self.heard += 1;
                if let Some(impulse) = input {
                    let begun = Instant::now();
                    let other = 1 - self.player;
                    let change = self
                        .session
                        .input(frame, other, self.other, push(impulse))?;
                    if frame < self.session.frame() {
                        self.report.late += 1;
                        self.report.seconds += begun.elapsed().as_secs_f64();
                        self.report.again += change.changed.len() + change.repeated.len();
                    }
                }
            }
        }
    }

    /// Frames with all inputs known are final; their hashes must be the same on both sides.
    fn confirm(&mut self) -> Result<(), Failure> {
        let frame = self.heard.min(self.session.frame());
        if frame > self.session.confirmed() {
            // Every hash holds all before it: sides that agree on one frame agree on all up to it.
            for frame in self.session.confirmed() + 1..=frame {
                let state = self.session.hash(frame).ok_or("a frame is out of reach")?;
                let before = self.hashes.last_key_value().map_or(0, |(_, hash)| *hash);
                let hash = (before ^ state).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                self.hashes.insert(frame, hash.rotate_left(29));
            }
            self.session.confirm(frame)?;
        }
        // What the other side has confirmed before us waits for us.
        while let Some(entry) = self.theirs.first_entry()
            && let Some(ours) = self.hashes.get(entry.key())
        {
            if ours != entry.get() {
                let frame = entry.key();
                return Err(format!("the sides differ in frame {frame} or before").into());
            }
            entry.remove();
            self.report.compared += 1;
        }
        Ok(())
    }

    /// Sends through the network: some packets are lost, all are late, and they overtake each other.
    fn send(&mut self, beat: u64) -> Result<(), Failure> {
        let end = self.session.frame().min(FRAMES);
        let first = self.acknowledged.min(end);
        let hash = self
            .hashes
            .last_key_value()
            .map_or((0, 0), |(f, h)| (*f, *h));
        let packet = Packet {
            first,
            inputs: (first..end).map(|f| make_input(self.player, f)).collect(),
            known: self.heard,
            hash,
        };
        self.sent += 1;
        if self.dice.below(100) < LOST {
            self.report.lost += 1;
        } else {
            let due = beat + DELAY + u64::from(self.dice.below(JITTER + 1));
            self.wire.insert((due, self.sent), packet.to_bytes());
        }
        while let Some(entry) = self.wire.first_entry() {
            if entry.key().0 > beat {
                break;
            }
            // A refusal only says that the other side has finished.
            let _ = self.socket.send(&entry.remove());
        }
        Ok(())
    }
}

fn push(impulse: [f64; 3]) -> Action {
    Action::Impulse {
        impulse: Vec3::from_array(impulse),
        point: None,
    }
}

impl Packet {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [self.first, self.known, self.hash.0, self.hash.1] {
            bytes.extend(number.to_le_bytes());
        }
        for input in &self.inputs {
            bytes.push(u8::from(input.is_some()));
            for x in input.iter().flatten() {
                bytes.extend(x.to_le_bytes());
            }
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let mut eight = || -> Option<[u8; 8]> {
            let (head, tail) = rest.split_first_chunk()?;
            rest = tail;
            Some(*head)
        };
        let [first, known, frame, hash] = [eight()?, eight()?, eight()?, eight()?];
        let mut inputs = Vec::new();
        while let Some((&is_some, tail)) = rest.split_first() {
            rest = tail;
            if is_some == 0 {
                inputs.push(None);
                continue;
            }
            let mut one = || -> Option<f64> {
                let (head, tail) = rest.split_first_chunk()?;
                rest = tail;
                Some(f64::from_le_bytes(*head))
            };
            inputs.push(Some([one()?, one()?, one()?]));
        }
        Some(Packet {
            first: u64::from_le_bytes(first),
            inputs,
            known: u64::from_le_bytes(known),
            hash: (u64::from_le_bytes(frame), u64::from_le_bytes(hash)),
        })
    }
}
