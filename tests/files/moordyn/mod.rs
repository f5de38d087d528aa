//! Input files of MoorDyn: the effect of each word, in both versions, with any separator; errors,
//! with file, line and word; and that no file crashes the library.

mod channels;
mod in_water;
mod pinned;
mod random;
mod refusals;
mod rods;
mod runs;
mod words;

use pintle::{Result, Simulation};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of this test's own, gone with the value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("moordyn-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Writes a file into it.
    fn with(self, name: &str, bytes: impl AsRef<[u8]>) -> Folder {
        std::fs::write(self.0.join(name), bytes).unwrap();
        self
    }

    /// The system of its file `lines.txt`.
    fn load(&self) -> Result<Simulation> {
        Simulation::load_moordyn(&self.0.join("lines.txt"), false)
    }

    /// The same with tables from files in any folder.
    fn load_trusted(&self) -> Result<Simulation> {
        Simulation::load_moordyn(&self.0.join("lines.txt"), true)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The system that a text describes.
fn load(text: impl AsRef<[u8]>) -> Result<Simulation> {
    Folder::new().with("lines.txt", text).load()
}

/// A file with every feature of version 2 that this library supports.
const V2: &str = "\
--------------------- MoorDyn Input File ------------------------------------
A mooring of two lines, a float and a buoy.
----------------------- LINE TYPES ------------------------------------------
TypeName   Diam    Mass/m     EA         BA/-zeta    EI         Cd     Ca     CdAx    CaAx
(name)     (m)     (kg/m)     (N)        (N-s/-)     (N-m^2)    (-)    (-)    (-)     (-)
chain      0.1     150.0      7.5e8      -0.8        0          2.0    0.8    0.4     0.25
cable      0.12    30.0       4.0e7      2.5e5       1.2e4      1.2    1.0    0.1     0.0
---------------------------- BODIES -----------------------------------------
ID   Attachment  X0     Y0    Z0     r0    p0    y0   Mass   CG*         I*               Volume  CdA*      Ca*
(#)  (word)      (m)    (m)   (m)    (deg) (deg) (deg) (kg)  (m)         (kg-m^2)         (m^3)   (m^2)     (-)
1    Coupled     10     20    -5     0     0     90   1000   -2          500              0       0         0
2    Free        0      0     -30    10    20    30   4000   0.1|0.2|0.3 1000|2000|3000   3.5     2|3       0.5|0.6|0.7
3    Fixed       0      50    -40    0     0     0    0      0           0                0       0         0
---------------------- POINTS -----------------------------------------------
ID    Attachment  X       Y       Z       Mass   Volume  CdA    Ca
(#)   (word/ID)   (m)     (m)     (m)     (kg)   (m^3)   (m^2)  (-)
1     Fixed       400     0.0     -50.0   0      0       0      0
2     Body1       1.0     2.0     -3.0    0      0       0      0
3     Free        200.0   0.0     -20.0   800    0.5     1.5    0.7
4     Coupled     -100    0.0     -10.0   0      0       0      0
5     Body2       1.0     0.0     0.0     50     0.2     0      0.9
6     Body3       0.0     0.0     1.0     0      0       0      0
---------------------- LINES ------------------------------------------------
ID   LineType   AttachA  AttachB  UnstrLen  NumSegs  LineOutputs
(#)  (name)     (ID)     (ID)     (m)       (-)      (-)
1    chain      1        3        230       20       -
2    cable      3        P2       200       30       pt
3    chain      6        Con5     60        10       -
---------------------- OPTIONS ----------------------------------------------
0.002         dtM           time step
9.81          g             gravity
1020.0        WtrDnsty      density
50            WtrDpth       depth
1.0e6         kBot          stiffness
2.0e4         cBot          damping
0.5           FrictionCoefficient
RK4           tScheme
1.0           dtIC
---------------------- OUTPUTS ----------------------------------------------
FairTen1
AnchTen2
L2N4PX  Point3VZ
Body2RX
END
------------------------- need this line ------------------------------------
";

/// A file with every feature of version 1.
const V1: &str = "\
MoorDyn input file
True  Echo  echo the input file data (flag)
---------------------- LINE DICTIONARY ------------------------
1     NTypes   - number of line types
LineType  Diam    MassDenInAir    EA        BA/-zeta    Can     Cat    Cdn     Cdt
(-)       (m)       (kg/m)        (N)       (Pa-s/-)    (-)     (-)    (-)     (-)
main      0.09      77.7          3.8e8     -0.8        1.0     0.2    1.6     0.1
---------------------- NODE PROPERTIES ------------------------
3     NConnects   - number of connections
Node      Type      X        Y         Z        M        V        FX       FY      FZ     CdA   CA
(-)       (-)      (m)      (m)       (m)      (kg)     (m^3)    (N)      (N)     (N)    (m^2)  (-)
1         Fix      853.87    0      -320.00      0        0        0        0       0       0     0
2         Connect  400.0     0      -150.00    900      0.3       10       20      30       2     1
3         Vessel     5.2     0       -70.00      0        0        0        0       0       0     0
---------------------- LINE PROPERTIES ------------------------
2     NLines   - number of lines
Line     LineType  UnstrLen  NumSegs    NodeAnch  NodeFair  Flags/Outputs
(-)      (-)       (m)         (-)       (-)       (-)      (-)
1        main      480.0        12        1         2        p
2        main      422.2        8         2         3        -
---------------------- SOLVER OPTIONS -------------------------
0.001    dtM          - time step to use in mooring integration
3.0e6    kb           - bottom stiffness
3.0e5    cb           - bottom damping
320      WtrDpth      - water depth
5.0      ICDfac       - factor by which to scale drag coefficients
0.001    ICthresh     - threshold for IC convergence
0        ICTmax       - threshold for IC convergence
---------------------- OUTPUTS --------------------------------
FairTen2
Con2px Con2Fz
END
--------------------- need this line --------------------------
";
